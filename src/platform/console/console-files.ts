import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

export type Encoding = 'br' | 'gzip'

/** A file of the console in every encoding that is served. */
export interface ConsoleFile {
  readonly contentType: string
  readonly plain: Buffer
  readonly compressed: ReadonlyMap<Encoding, Buffer>
}

export interface ConsoleFiles {
  /** The HTML page, with `nonceMark` in place of the nonce that each answer gets. */
  readonly page: string
  /** By path, with a leading slash. */
  readonly files: ReadonlyMap<string, ConsoleFile>
}

export const nonceMark = '__NONCE__'

const endings: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

/** The console is small, so it is read once and kept in memory. */
export function readConsoleFiles(directory: string): ConsoleFiles {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const known = new Set(names)
  const isPlain = (name: string) => !endings.some(([, ending]) => name.endsWith(ending))
  const files = names.filter(isPlain).map((name) => [pathOf(directory, name), readFile(name, known)] as const)
  return { page: readFileSync(join(directory, 'index.html'), 'utf8'), files: new Map(files) }
}

function readFile(name: string, known: ReadonlySet<string>): ConsoleFile {
  const compressed = endings
    .filter(([, ending]) => known.has(`${name}${ending}`))
    .map(([encoding, ending]) => [encoding, readFileSync(`${name}${ending}`)] as const)
  return { contentType: contentTypeOfFile(name), plain: readFileSync(name), compressed: new Map(compressed) }
}

function pathOf(directory: string, name: string): string {
  return `/${name.slice(directory.length).split(sep).filter(Boolean).join('/')}`
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
}

function contentTypeOfFile(file: string): string {
  return types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}
