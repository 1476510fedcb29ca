import { existsSync, readFileSync, statSync } from 'node:fs'
import { rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreDamaged } from '../contract.ts'

/** Facts about data.mdb, stored beside it, so that data loss is noticed before lmdb maps the file. */
interface Marker {
  /** The file once had at least this size, and lmdb never shortens it. */
  readonly bytes: number
}

const dataFile = 'data.mdb'
const markerFile = 'store.json'

/** Whether a store is or was here. */
export function hadStore(directory: string): boolean {
  return [dataFile, markerFile].some((file) => existsSync(join(directory, file)))
}

/** Throws StoreDamaged if a store existed here and its file is missing, empty or truncated. */
export function requireWholeFile(directory: string): void {
  const marker = readMarker(directory)
  if (marker === undefined) return
  const file = join(directory, dataFile)
  const bytes = existsSync(file) ? statSync(file).size : undefined
  if (bytes !== undefined && bytes >= marker.bytes) return
  const found = bytes === undefined ? 'it is gone' : `it has ${bytes} bytes`
  throw new StoreDamaged(
    `${file} held at least ${marker.bytes} bytes, and now ${found}; if this is an older copy on purpose, or a new beginning, remove ${join(directory, markerFile)}`,
  )
}

/** Records the size of the file when it has grown. No request waits for it: a disk may be slow. */
export class GrowthMarker {
  readonly #directory: string
  #bytes: number
  #writing: Promise<void> | undefined

  constructor(directory: string) {
    this.#directory = directory
    this.#bytes = readMarker(directory)?.bytes ?? -1
  }

  /** One write at a time: growth in the meantime is recorded by the next one. */
  update(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  /** Like `update`, after the write in progress. */
  async finish(): Promise<void> {
    await this.#writing?.catch(() => {})
    await this.update()
  }

  async #write(): Promise<void> {
    const { size } = await stat(join(this.#directory, dataFile))
    if (size <= this.#bytes) return
    await writeMarker(this.#directory, { bytes: size })
    this.#bytes = size
  }
}

async function writeMarker(directory: string, marker: Marker): Promise<void> {
  const file = join(directory, markerFile)
  const draft = `${file}.draft`
  await writeFile(draft, `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
}

function readMarker(directory: string): Marker | undefined {
  const file = join(directory, markerFile)
  if (!existsSync(file)) return undefined
  const { bytes } = parsed(readFileSync(file, 'utf8'))
  if (typeof bytes !== 'number') throw new StoreDamaged(`${file} cannot be read`)
  return { bytes }
}

function parsed(text: string): { readonly bytes?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
