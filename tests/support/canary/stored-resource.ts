import { readSync } from 'node:fs'

/** No record is larger, and its key stands before it. */
const maxRecordBytes = 2 * 1024 * 1024
/** Ours, in both stores, and those of kube-apiserver. */
const storageKey = /\/objects\/[a-z0-9.-]+\/([a-z]+)\/|\/registry\/([a-z]+)\//g

/** In a file of a database: of which resource the record is that holds the byte. */
export function resourceAt(file: number, at: number): string | undefined {
  const start = Math.max(0, at - maxRecordBytes)
  const bytes = Buffer.alloc(at - start)
  readSync(file, bytes, 0, bytes.length, start)
  const last = Array.from(bytes.toString('latin1').matchAll(storageKey)).at(-1)
  return last?.[1] ?? last?.[2]
}
