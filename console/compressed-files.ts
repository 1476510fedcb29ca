import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const worthwhileBytes = 512

/** Compresses what was built once and well, so that the platform only has to send it. */
export function compressedFiles(): Plugin {
  let directory = ''
  return {
    name: 'compressed-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      directory = resolve(root, build.outDir, build.assetsDir)
    },
    closeBundle: () => {
      for (const name of readdirSync(directory)) compress(join(directory, name))
    },
  }
}

function compress(file: string): void {
  if (/\.(br|gz)$/.test(file)) return
  const plain = readFileSync(file)
  if (plain.length < worthwhileBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  writeFileSync(`${file}.br`, brotliCompressSync(plain, { params }))
  writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }))
}
