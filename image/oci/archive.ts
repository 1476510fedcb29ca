import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { extract, pack, type TarHeader } from 'tar-stream'
import type { LayerEntry, LayerFolder } from '../contract.ts'

/** The same entries give the same bytes, in whichever order they come. Folders on the way are made. */
export async function packEntries(entries: readonly LayerEntry[], modifiedSeconds: number): Promise<Buffer> {
  const archive = pack()
  const mtime = new Date(modifiedSeconds * 1000)
  for (const entry of withFolders(entries)) {
    archive.entry({ ...headerOf(entry), mtime }, entry.type === 'file' ? entry.content : undefined)
  }
  archive.finalize()
  return concatenated(archive)
}

export async function* unpackEntries(archive: Uint8Array): AsyncIterable<{ header: TarHeader; content: Buffer }> {
  const entries = extract()
  entries.end(archive)
  for await (const entry of entries) yield { header: entry.header, content: await concatenated(entry) }
}

/** Without a time of its own, so that it too is the same each time. */
export const compress = promisify(gzip)

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function withFolders(entries: readonly LayerEntry[]): readonly LayerEntry[] {
  const byPath = new Map<string, LayerEntry>()
  for (const entry of entries) {
    for (const path of parentsOf(entry.path)) if (!byPath.has(path)) byPath.set(path, plainFolder(path))
    const other = byPath.get(entry.path)
    if (other !== undefined && other.type !== 'directory') throw new Error(`${entry.path} is in the layer twice`)
    byPath.set(entry.path, entry)
  }
  return [...byPath.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1))
}

function parentsOf(path: string): readonly string[] {
  const steps = path.split('/')
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'))
}

function plainFolder(path: string): LayerFolder {
  return { type: 'directory', path, mode: 0o755, owner: 0 }
}

function headerOf(entry: LayerEntry): TarHeader {
  const { path: name, type } = entry
  switch (entry.type) {
    case 'file':
      return { name, type, mode: entry.mode, uid: 0, gid: 0, size: entry.content.byteLength }
    case 'symlink':
      return { name, type, mode: 0o777, uid: 0, gid: 0, linkname: entry.target }
    case 'directory':
      return { name: `${name}/`, type, mode: entry.mode, uid: entry.owner, gid: entry.owner }
  }
}

async function concatenated(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
