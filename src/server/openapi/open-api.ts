import { createHash } from 'node:crypto'
import type { Kind } from '../../api/kind.ts'
import type { OpenApi, ServedFile } from '../contract.ts'
import { type Described, describeKind, documentPath } from './described.ts'
import { openApiV2 } from './v2.ts'
import { encodeOpenApiV2 } from './v2-protobuf.ts'
import { openApiV3 } from './v3.ts'

export interface ResettableOpenApi extends OpenApi {
  /** Forgets every document, after kinds have come or gone. */
  reset(): void
}

/** Documents about whatever is served, each made when it is first asked for and kept as bytes. */
export function createOpenApi(kinds: () => readonly Kind[], reviews: readonly Described[] = []): ResettableOpenApi {
  const made = new Map<string, ServedFile>()
  const kept = (name: string, make: () => Buffer): ServedFile => {
    const served = made.get(name) ?? asServed(make())
    made.set(name, served)
    return served
  }
  const everything = () => [...kinds().map(describeKind), ...reviews]
  const v3 = (groupVersion: string) => {
    const served = everything().filter((each) => documentPath(each) === groupVersion)
    return served.length === 0 ? undefined : kept(`v3/${groupVersion}`, () => json(openApiV3(served)))
  }
  return {
    v3,
    v3Index: () => kept('v3', () => json(index(new Set(everything().map(documentPath)), v3))),
    v2Json: () => kept('v2', () => json(openApiV2(everything()))),
    v2Protobuf: () => kept('v2-protobuf', () => encodeOpenApiV2(openApiV2(everything()))),
    reset: () => made.clear(),
  }
}

/** Clients keep a document by its hash, which changes with its content. */
function index(paths: ReadonlySet<string>, v3: (path: string) => ServedFile | undefined): object {
  const entries = [...paths].sort().map((path) => {
    const serverRelativeURL = `/openapi/v3/${path}?hash=${v3(path)?.hash ?? ''}`
    return [path, { serverRelativeURL }]
  })
  return { paths: Object.fromEntries(entries) }
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function asServed(body: Buffer): ServedFile {
  const hash = createHash('sha512').update(body).digest('hex').toUpperCase()
  return { body, hash, etag: `"${hash}"` }
}
