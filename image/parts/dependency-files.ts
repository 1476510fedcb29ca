/** For compilers, editors and people who read sources: nothing that Node loads. */
const forDevelopment = /\.(?:[cm]?ts|map|md|markdown|flow|[ch]|cc|cpp|hpp|gypi?|mdb|tgz|html|css|yml|txt)$/i

/** Addons that are compiled for another C library, or for one other version of Node alone. */
const forOthers = /(?:\.musl|\/node\.abi\d+\.glibc)\.node$/

/** Programs that packages bring for a shell. */
const forShells = /\/node_modules\/\.(?:bin\/|package-lock\.json$)/

/** Types alone. */
const withoutCode = /\/node_modules\/@types\//

const terms = /\/(?:licen[cs]e|copying|notice)[^/]*$/i

export function isNeededFile(path: string): boolean {
  if (forShells.test(path) || withoutCode.test(path)) return false
  return terms.test(path) || !(forDevelopment.test(path) || forOthers.test(path))
}
