// What a series of events is, of which the programme of a fresh sandbox is made.

/** A series; every distance of `days` makes an event of it. */
export interface Series {
  readonly title: string;
  readonly dayOffsets: readonly number[];
  /** Wall-clock start; absent for events that last all day. */
  readonly startTime?: string;
  /** Minutes; or, of events that last all day, whole days. */
  readonly duration: number;
  readonly zone?: string;
  readonly venue?: string;
  readonly organizers?: readonly string[];
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly cost?: string;
  readonly website?: string;
  readonly excerpt?: string;
  readonly text: string;
  readonly status?: string;
  readonly hasImage?: true;
  readonly flags?: readonly ("featured" | "sticky" | "hide_from_listings" | "show_map" | "show_map_link")[];
}

// What is on in a fresh sandbox: the first half of its series. `days` are distances from the seed's day.

const paris = "Europe/Paris";
const tokyo = "Asia/Tokyo";
const kolkata = "Asia/Kolkata";

/** Series whose events have the ids from 100. */
export const seedSeries: readonly Series[] = [
  {
    title: "Jazz Night",
    dayOffsets: [-84, -56, -28, 1, 28, 56, 84],
    startTime: "20:00",
    duration: 180,
    venue: "Blue Note Cellar",
    organizers: ["Jane Doe"],
    categories: ["Jazz"],
    tags: ["late-night"],
    cost: "15",
    website: "https://cellar.example.org/jazz?a=1&b=2",
    text: "<p>The house trio and a guest. <strong>Two sets</strong>, one break.</p>",
    flags: ["featured", "show_map", "show_map_link"],
    hasImage: true,
  },
  {
    title: "Bebop Jam",
    dayOffsets: [-63, -7, 21, 49],
    startTime: "22:30",
    duration: 150,
    venue: "Blue Note Cellar",
    organizers: ["Jane Doe"],
    categories: ["Bebop"],
    tags: ["late-night", "free"],
    cost: "0",
    text: "<p>Bring your horn. The list opens at 22:00.</p>",
  },
  {
    title: "Story Hour",
    dayOffsets: [-77, -49, -21, 7, 35, 63, 91],
    startTime: "10:00",
    duration: 60,
    venue: "Riverside Public Library",
    organizers: ["Friends of the Library"],
    categories: ["Community & Family"],
    tags: ["free", "kids & teens"],
    cost: "0",
    text: "<p>Picture books for ages 3 to 6.</p>\n<p>Siblings welcome.</p>",
  },
  {
    title: "Town Meeting",
    dayOffsets: [-60, -30, 2, 30, 60],
    startTime: "19:00",
    duration: 120,
    venue: "Town Hall",
    categories: ["Community & Family"],
    tags: ["free"],
    text: "<ul>\n<li>Budget</li>\n<li>Street trees</li>\n</ul>",
  },
  {
    title: "Concert d’été",
    dayOffsets: [-40, 20, 140],
    startTime: "21:00",
    duration: 120,
    zone: paris,
    venue: "Café de l’Été",
    organizers: ["Les Amis du Canal"],
    categories: ["Classical"],
    tags: ["été", "outdoor"],
    cost: "€12",
    text: "<p>Quatuor à cordes, à la belle étoile.</p>",
    flags: ["show_map"],
  },
  {
    title: "東京ジャズ・フェスティバル",
    dayOffsets: [-14, 175],
    startTime: "18:30",
    duration: 240,
    zone: tokyo,
    venue: "渋谷文化ホール",
    organizers: ["株式会社イベント"],
    categories: ["Jazz"],
    tags: ["音楽"],
    cost: "¥4500",
    text: "<p>三つのステージ、十二のバンド。</p>",
    flags: ["featured"],
    hasImage: true,
  },
  {
    title: "City Orchestra: Winter & Spring",
    dayOffsets: [10, 100],
    startTime: "19:30",
    duration: 135,
    venue: "Town Hall",
    organizers: ["City Orchestra"],
    categories: ["Classical"],
    cost: "25 - 60",
    text: "<p>Sibelius, Vivaldi &amp; a premiere.</p>",
    excerpt: "<p>An evening in two seasons.</p>",
  },
  {
    title: "Harbour League",
    dayOffsets: [-71, -15, 13, 41, 69],
    startTime: "15:00",
    duration: 105,
    venue: "Harbour Stadium",
    organizers: ["Smith & Sons"],
    categories: ["Football"],
    tags: ["outdoor"],
    cost: "8",
    text: "<p>Home side against the visitors.</p>",
  },
  {
    title: 'Film Club: "Metropolis"',
    dayOffsets: [-35, 25],
    startTime: "20:15",
    duration: 150,
    venue: "Riverside Public Library",
    organizers: ["Friends of the Library", "Jane Doe"],
    categories: ["Film"],
    cost: "5",
    text: "<p>With live piano.</p>",
  },
  {
    title: "Spring Fair",
    dayOffsets: [120],
    duration: 3,
    venue: "Town Hall",
    organizers: ["Smith & Sons"],
    categories: ["Community & Family"],
    tags: ["outdoor", "kids & teens"],
    cost: "0",
    text: "<p>Three days of stalls, music and pie.</p>",
    flags: ["sticky", "featured"],
  },
  {
    title: "Garden Day",
    dayOffsets: [-45, 45, 190],
    duration: 1,
    venue: "Community Garden",
    categories: ["Community & Family"],
    tags: ["outdoor", "free"],
    text: "<p>Gloves and tools are there.</p>",
  },
  {
    title: "রবীন্দ্রসঙ্গীত সন্ধ্যা",
    dayOffsets: [15, 170],
    startTime: "18:00",
    duration: 120,
    zone: kolkata,
    venue: "Rabindra Mancha",
    categories: ["Music"],
    tags: ["音楽"],
    cost: "₹300",
    text: "<p>Songs by Tagore.</p>",
  },
];

// What is on in a fresh sandbox: the second half of its series, with the odd ones: drafts, hidden events, other scripts.

/** Series whose events follow those of programme.ts. */
export const moreSeedSeries: readonly Series[] = [
  {
    title: "أمسية شعرية",
    dayOffsets: [33],
    startTime: "19:30",
    duration: 90,
    zone: paris,
    venue: "Café de l’Été",
    organizers: ["Les Amis du Canal"],
    categories: ["Arts"],
    tags: ["free"],
    cost: "0",
    text: '<p dir="rtl">شعر وموسيقى</p>',
  },
  {
    title: "🎉 Block Party",
    dayOffsets: [75],
    startTime: "14:00",
    duration: 480,
    organizers: ["Smith & Sons"],
    categories: ["Community & Family"],
    tags: ["outdoor", "free"],
    cost: "0",
    text: "<p>Closed street, open grill 🌭.</p>",
  },
  {
    title: "C++ Study Group",
    dayOffsets: [-10, 18, 46],
    startTime: "18:30",
    duration: 90,
    venue: "Riverside Public Library",
    tags: ["C++", "free"],
    text: "<p>Chapter by chapter; bring <code>std::vector</code> questions.</p>",
  },
  {
    title: "New Year’s Run",
    dayOffsets: [40],
    startTime: "08:00",
    duration: 180,
    venue: "Harbour Stadium",
    organizers: ["Smith & Sons"],
    categories: ["Sports"],
    tags: ["outdoor"],
    cost: "20",
    text: "<p>Five or ten kilometres.</p>",
  },
  {
    title: "Night Train",
    dayOffsets: [50],
    startTime: "23:00",
    duration: 300,
    zone: "UTC",
    categories: ["Arts"],
    tags: ["late-night"],
    text: "<p>A play that ends after midnight.</p>",
  },
  {
    title: "Online Round Table",
    dayOffsets: [5, 95],
    startTime: "16:00",
    duration: 60,
    zone: "UTC",
    organizers: ["Friends of the Library"],
    cost: "0",
    text: "<p>A link is sent the day before.</p>",
  },
  {
    title: "Cinéma en plein air",
    dayOffsets: [200, 230],
    startTime: "22:00",
    duration: 120,
    zone: paris,
    venue: "Café de l’Été",
    organizers: ["Les Amis du Canal"],
    categories: ["Film"],
    tags: ["été", "outdoor", "free"],
    cost: "0",
    text: "<p>Apportez une couverture.</p>",
  },
  {
    title: "Open Air Opera",
    dayOffsets: [210],
    startTime: "20:00",
    duration: 200,
    venue: "Community Garden",
    organizers: ["City Orchestra"],
    categories: ["Classical"],
    tags: ["outdoor"],
    cost: "45",
    text: "<p>La Bohème, in jackets.</p>",
    flags: ["featured"],
  },
  {
    title: "Harbour Cup",
    dayOffsets: [250],
    duration: 2,
    venue: "Harbour Stadium",
    organizers: ["Smith & Sons"],
    categories: ["Football"],
    cost: "30",
    text: "<p>Eight teams, one weekend.</p>",
  },
  {
    title: "Volunteers’ Supper",
    dayOffsets: [12],
    startTime: "18:00",
    duration: 180,
    venue: "Town Hall",
    organizers: ["Friends of the Library"],
    text: "<p>By invitation.</p>",
    status: "private",
    flags: ["hide_from_listings"],
  },
  {
    title: "Autumn Programme",
    dayOffsets: [260, 265],
    startTime: "19:00",
    duration: 60,
    venue: "Blue Note Cellar",
    organizers: ["Jane Doe"],
    categories: ["Jazz"],
    text: "<p>Acts to be told.</p>",
    status: "draft",
  },
  {
    title: "Members’ Breakfast",
    dayOffsets: [16],
    startTime: "09:00",
    duration: 90,
    venue: "Café de l’Été",
    zone: paris,
    text: "<p>Croissants.</p>",
    status: "pending",
    flags: ["hide_from_listings"],
  },
];
