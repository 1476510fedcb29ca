import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformWithOxc } from 'vite'

const isTest = /\.test\.ts$/
const isModule = /(?<!\.d)\.ts$|\.js$/

/** Compiles the modules of a folder, one file for each, and returns their paths in it. Only changed files are compiled. */
export async function compileModules(from: string, to: string): Promise<ReadonlySet<string>> {
  const paths = filesIn(from).filter((path) => isModule.test(path) && !isTest.test(path))
  const compiled = new Set(paths.map(compiledPath))
  for (const path of filesIn(to)) if (path.endsWith('.js') && !compiled.has(path)) rmSync(join(to, path))
  await Promise.all(paths.map((path) => compileFile(join(from, path), join(to, compiledPath(path)))))
  return compiled
}

export function compiledPath(path: string): string {
  return path.replace(/\.ts$/, '.js')
}

async function compileFile(source: string, target: string): Promise<void> {
  if (changedMs(target) > changedMs(source)) return
  const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source, {
    sourcemap: false,
    typescript: { rewriteImportExtensions: 'rewrite' },
  })
  mkdirSync(dirname(target), { recursive: true })
  // Other runs may do the same at the same time.
  const draft = `${target}.${process.pid}`
  writeFileSync(draft, code)
  renameSync(draft, target)
}

function changedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function filesIn(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
