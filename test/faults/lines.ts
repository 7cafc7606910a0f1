// The commands of the table of faults: one for each method.
export const get = "tags get 7 --field name";
export const create = "tags create --name free --field id";
export const update = "tags update 7 --name free --raw --field name";
export const remove = "tags delete 7 --yes --json";
