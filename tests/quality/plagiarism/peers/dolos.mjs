// Runs Dolos over groups of files and prints one JSON line: pairs' figures, seconds, peak memory.
// node dolos.mjs FOLDER_WITH_NODE_MODULES < job.json
// job: {kgram: number, groups: [{files: [path], pairs: [[i, j]] | null}]}; null asks for all pairs.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const started = performance.now();
const lib = path.join(process.argv[2], "node_modules/@dodona/dolos-lib/dist/index.js");
const { Dolos } = await import(pathToFileURL(path.resolve(lib)).href);
const job = JSON.parse(fs.readFileSync(0, "utf8"));
const results = [];
for (const group of job.groups) {
  const dolos = new Dolos({ kgramLength: job.kgram, language: "python" });
  const report = await dolos.analyzePaths(group.files);
  if (group.pairs === null) {
    results.push(report.allPairs().length);
    continue;
  }
  const byPath = new Map(report.files.map((f) => [f.file.path, f.file]));
  results.push(
    group.pairs.map(([i, j]) => {
      const pair = report.getPair(byPath.get(group.files[i]), byPath.get(group.files[j]));
      const share = (covered, total) => (total > 0 ? covered / total : 0);
      return {
        similarity: pair.similarity,
        longest: pair.longest,
        "share of source": share(pair.leftCovered, pair.leftTotal),
      };
    }),
  );
}
const peak = Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
const seconds = (performance.now() - started) / 1000;
process.stdout.write(JSON.stringify({ results, seconds, peak }) + "\n");
