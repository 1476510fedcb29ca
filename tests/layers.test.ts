import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const sourceRoot = resolve(import.meta.dirname, '../src')

const testSupport = '../tests/support/'

/** The table of docs/architecture.md: a folder imports only from folders with a smaller number. */
const layers: Readonly<Record<string, number>> = {
  base: 0,
  cel: 1,
  api: 2,
  storage: 3,
  expression: 3,
  client: 3,
  reconcile: 3,
  registry: 4,
  patches: 4,
  auth: 4,
  server: 5,
  sync: 5,
  controllers: 5,
  dns: 5,
  backup: 6,
  platform: 6,
  'sign-on': 6,
  tenant: 6,
  cluster: 7,
  cli: 8,
}

const files = readdirSync(sourceRoot, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.[jt]s$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(sourceRoot, file), 'utf8') }))

const productFiles = files.filter(({ file }) => !file.endsWith('.test.ts'))

function layerOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map((match) =>
    relative(sourceRoot, resolve(sourceRoot, dirname(file), match[1] ?? match[2] ?? '')),
  )
}

function forbiddenImports(file: string, text: string): string[] {
  const own = layerOf(file)
  return importsOf(file, text).filter((target) => {
    const other = layerOf(target)
    if (file.endsWith('.test.ts') && target.startsWith(testSupport)) return false
    return other !== own && (layers[other] ?? Number.POSITIVE_INFINITY) >= (layers[own] ?? -1)
  })
}

describe('the layers of src', () => {
  it('finds the sources', () => {
    expect(productFiles.length).toBeGreaterThan(100)
  })

  it('knows every folder', () => {
    expect([...new Set(files.map(({ file }) => layerOf(file)))].filter((layer) => !(layer in layers))).toEqual([])
  })

  it('imports downward only', () => {
    const upward = files.flatMap(({ file, text }) =>
      forbiddenImports(file, text).map((target) => `${file} -> ${target}`),
    )
    expect(upward).toEqual([])
  })

  it('reads the real clock and real randomness in base only', () => {
    const sources =
      /\bDate\.now\(|\bperformance\.now\(|new Date\(\)|\bMath\.random\(|\brandomBytes\(|\brandomUUID\(|\bgetRandomValues\(|\brandomInt\(/
    const readers = productFiles.filter(({ file, text }) => layerOf(file) !== 'base' && sources.test(text))
    expect(readers.map(({ file }) => file)).toEqual([])
  })

  it('keeps the nouns usable in a browser: no Node modules in api and cel', () => {
    const users = productFiles.filter(
      ({ file, text }) => ['api', 'cel'].includes(layerOf(file)) && /from 'node:|\bBuffer\b/.test(text),
    )
    expect(users.map(({ file }) => file)).toEqual([])
  })

  it('has no circular imports', () => {
    const graph = new Map(productFiles.map(({ file, text }) => [file, importsOf(file, text)]))
    expect(findCycle(graph)).toBeUndefined()
  })
})

function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const finished = new Set<string>()
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return undefined
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target, [...path, file])
      if (cycle !== undefined) return cycle
    }
    finished.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
