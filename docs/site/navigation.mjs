/**
 * What the site has, in the order in which a newcomer needs it: files of the repository, `api:` pages made of docstrings, and
 * `site:` what is built beside the pages. Every page of docs stands here once (test/unit/docs/site-navigation.test.ts).
 */
export const NAVIGATION = [
  {
    text: "Start",
    items: [
      { text: "Overview", page: "README.md" },
      { text: "All pages", page: "docs/README.md" },
      { text: "Example reports", page: "docs/site/pages/example-pages.md" },
      { text: "Playground", page: "docs/playground/README.md" },
      { text: "In the terminal", page: "docs/terminal.md" },
      { text: "Limits", page: "docs/limits.md" },
    ],
  },
  {
    text: "Problems",
    items: [
      { text: "Row tiers", page: "docs/row-tiers.md" },
      { text: "Tables on devices", page: "docs/table-placement.md" },
      { text: "Plans that change", page: "docs/migration.md" },
      { text: "Learned costs", page: "docs/learned-costs.md" },
      { text: "Towers", page: "docs/towers.md" },
      { text: "Mixed-integer programs", page: "docs/solve.md" },
      { text: "Methods and their papers", page: "docs/methods.md" },
      {
        text: "The mathematics",
        items: [
          { text: "Row tiers", page: "models/row-tiers/README.md" },
          { text: "Tables on devices", page: "models/table-placement/README.md" },
          { text: "Tables on groups of devices", page: "models/grouped-placement/README.md" },
          { text: "Towers", page: "models/tower-partition/README.md" },
          { text: "Towers with their tables", page: "models/joint-towers/README.md" },
        ],
      },
    ],
  },
  {
    text: "TorchRec",
    items: [
      { text: "Planner and files", page: "docs/torchrec.md" },
      { text: "The Python package", page: "python/README.md" },
    ],
  },
  {
    text: "Proofs",
    items: [
      { text: "What proved means", page: "docs/proofs.md" },
      { text: "The rules of certificates", page: "src/proof/README.md" },
      { text: "VIPR", page: "src/vipr/README.md" },
      { text: "Solvers", page: "docs/solvers.md" },
      { text: "Programs of the literature", page: "docs/public-programs.md" },
      { text: "A second implementation", page: "test/independent/README.md" },
    ],
  },
  {
    text: "Studies",
    items: [
      { text: "Many plans", page: "docs/studies.md" },
      { text: "The papers, repeated", page: "docs/papers.md" },
      { text: "Drawn instances", page: "docs/generators.md" },
      { text: "Benchmarks", page: "bench/README.md" },
      { text: "The benches' notebook", page: "bench/notebook.md" },
    ],
  },
  {
    text: "Library",
    items: [
      { text: "Guide", page: "docs/library.md" },
      { text: "Programs to run", page: "examples/README.md" },
      {
        text: "API",
        items: [
          { text: "shardproof", page: "api:index" },
          { text: "shardproof/program", page: "api:program" },
          { text: "shardproof/proof", page: "api:proof" },
          { text: "shardproof/torchrec", page: "api:torchrec" },
          { text: "shardproof/learn", page: "api:learn" },
          { text: "shardproof/simulate", page: "api:simulate" },
          { text: "shardproof/reproduce", page: "api:reproduce" },
        ],
      },
    ],
  },
  {
    text: "Formats",
    items: [
      { text: "Keys of instances", page: "docs/instance-keys.md" },
      { text: "Keys of plans", page: "docs/plan-keys.md" },
      { text: "Plan files", page: "docs/plan-files.md" },
    ],
  },
  {
    text: "Project",
    items: [
      { text: "Changes", page: "CHANGELOG.md" },
      { text: "Contributing", page: "CONTRIBUTING.md" },
    ],
  },
];

/** Every page of a part of the navigation. */
export function pagesOf(items) {
  return items.flatMap(({ page, items: inner = [] }) => [...(page === undefined ? [] : [page]), ...pagesOf(inner)]);
}
