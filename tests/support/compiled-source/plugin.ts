import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { compiledPath, compileModules } from './compile.ts'

/**
 * With `--mode compiled`, for whole runs: tests use modules of `from` as Node loads them. Those of Vite cost each worker
 * a request, and each use of an import a lookup, which makes a fifth of the processor time. Without it, stacks name the
 * lines of the source.
 */
export function compiledSource(from: string, to: string): Plugin {
  let compiled: ReadonlySet<string> = new Set()
  return {
    name: 'compiled-source',
    enforce: 'pre',
    async config(_, { mode }) {
      if (mode === 'compiled') compiled = await compileModules(from, to)
    },
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return undefined
      const path = resolve(dirname(importer), source)
      if (!path.startsWith(`${from}/`)) return undefined
      const found = compiledPath(path.slice(from.length + 1))
      return compiled.has(found) ? join(to, found) : undefined
    },
  }
}
