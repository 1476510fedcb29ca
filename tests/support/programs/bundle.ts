import { basename, join } from 'node:path'
import { build } from 'vite'

/** Node runs no TypeScript: bundles a file with its imports, for separate processes. Returns the JavaScript. */
export async function bundle(entry: string, directory: string): Promise<string> {
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' }
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      target: 'node20',
      outDir: directory,
      emptyOutDir: false,
      rolldownOptions: { output: names },
    },
  })
  return join(directory, basename(entry).replace(/\.ts$/, '.mjs'))
}
