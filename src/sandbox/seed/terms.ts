// The categories and tags of a fresh sandbox, by name. `Lectures` and `online` have no events on purpose.

/** Categories by name, each with its parent's name; ids count up from 2. */
export const seedCategories: readonly { readonly name: string; readonly parent?: string; readonly description: string }[] = [
  { name: "Music", description: "Everything that <em>sounds</em>" },
  { name: "Jazz", parent: "Music", description: "From swing to free" },
  { name: "Bebop", parent: "Jazz", description: "Fast tempos, small bands" },
  { name: "Classical", parent: "Music", description: "Orchestras & chamber music" },
  { name: "Sports", description: "To play and to watch" },
  { name: "Football", parent: "Sports", description: "The local league" },
  { name: "Community & Family", description: "For neighbours of every age" },
  { name: "Arts", description: "Film, stage and pictures" },
  { name: "Film", parent: "Arts", description: "Old and new" },
  { name: "Lectures", description: "Talks at the library" },
];

/** Tags by name; ids count up from 12. */
export const seedTags: readonly string[] = ["free", "outdoor", "kids & teens", "été", "音楽", "late-night", "C++", "online"];
