// The commands of the table of faults: one for each method.

export const getCommand = "tags get 7 --field name";
export const createCommand = "tags create --name free --field id";
export const updateCommand = "tags update 7 --name free --raw --field name";
export const deleteCommand = "tags delete 7 --yes --json";
