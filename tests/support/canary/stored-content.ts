import { readSync } from 'node:fs'

/** The maximum size of a record, whose key precedes it. */
const maxRecordBytes = 2 * 1024 * 1024
const maxTailBytes = 4 * 1024
const kubeconfig = /^ *"?kind"?: "?Config"?,?$/m
/** Our keys, in both stores, and those of kube-apiserver. */
const storageKey = /\/objects\/[a-z0-9.-]+\/([a-z]+)\/|\/registry\/([a-z]+)\//g

/** The content at an offset of a file: the resource of a database record, or a kubeconfig. */
export function contentAt(file: number, at: number): string | undefined {
  const start = Math.max(0, at - maxRecordBytes)
  const bytes = Buffer.alloc(at - start + maxTailBytes)
  const length = readSync(file, bytes, 0, bytes.length, start)
  const text = bytes.toString('latin1', 0, length)
  const last = Array.from(text.slice(0, at - start).matchAll(storageKey)).at(-1)
  if (last !== undefined) return last[1] ?? last[2]
  return kubeconfig.test(text) ? 'kubeconfig' : undefined
}
