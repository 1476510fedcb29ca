import { createHash } from 'node:crypto'
import type { Kind } from '../../api/kind.ts'
import { Semaphore } from '../../base/concurrency/semaphore.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Steps } from '../../base/steps.ts'
import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import type { OpenApi, ServedFile } from '../contract.ts'
import { type Described, describeKind, documentPath } from './described.ts'
import { builtFieldTexts, type FieldTexts } from './field-texts.ts'
import { jsonPieces } from './json-pieces.ts'
import { jsonV2, protobufV2 } from './v2-fragments.ts'
import { type DocumentSubject, V2Pieces } from './v2-pieces.ts'
import { openApiV3 } from './v3.ts'

interface KeptDocument {
  readonly sources: readonly object[]
  readonly file: ServedFile
}

type MakeDocument = (subjects: readonly DocumentSubject[], texts: FieldTexts) => Steps<readonly Buffer[]>

export interface OpenApiOptions {
  /** Texts for schemas without a description. Absent: those from the build. */
  readonly textsOf?: () => FieldTexts
  /** The APIs behind APIServices. */
  readonly foreign?: () => readonly Pick<AggregatedApi, 'isAvailable' | 'v2'>[]
}

/**
 * OpenAPI documents of what is served, each built on the first request, and again after a change. Users may define
 * hundreds of kinds, so documents are built in steps and one at a time, however many clients ask.
 */
export function createOpenApi(
  kinds: () => readonly Kind[],
  reviews: readonly Described[] = [],
  { textsOf = builtFieldTexts, foreign = () => [] }: OpenApiOptions = {},
): OpenApi {
  const kept = new Map<string, KeptDocument>()
  const waiting = new Map<string, Promise<ServedFile>>()
  const semaphore = new Semaphore(1)
  const v2 = { json: new V2Pieces(jsonV2), protobuf: new V2Pieces(protobufV2) }
  const reviewed = reviews.map((described) => ({ source: described, described }))
  const everything = () => [...kinds().map((kind) => ({ source: kind, described: describeKind(kind) })), ...reviewed]
  const everywhere = (): readonly DocumentSubject[] => [...everything(), ...foreignSubjects(foreign())]
  const keptFor = (name: string, subjects: readonly DocumentSubject[]): ServedFile | undefined => {
    const found = kept.get(name)
    return found !== undefined && isAbout(subjects, found.sources) ? found.file : undefined
  }
  /** Requests that arrive before building begins share the result, which describes what is served then. */
  const made = (
    name: string,
    subjectsOf: () => readonly DocumentSubject[],
    make: MakeDocument,
  ): Promise<ServedFile> => {
    let isBegun = false
    const begin = async () => {
      isBegun = true
      waiting.delete(name)
      const subjects = subjectsOf()
      const steps = servedFile(make(subjects, textsOf()))
      const file = keptFor(name, subjects) ?? (await paced(steps, new Pace()))
      kept.set(name, { sources: subjects.map(({ source }) => source), file })
      return file
    }
    const found = waiting.get(name)
    if (found !== undefined) return found
    const file = semaphore.run(begin)
    if (!isBegun) waiting.set(name, file)
    return file
  }
  const document = async (name: string, subjectsOf: () => readonly DocumentSubject[], make: MakeDocument) =>
    keptFor(name, subjectsOf()) ?? made(name, subjectsOf, make)
  const v3 = async (groupVersion: string) => {
    const subjectsOf = () => everything().filter(({ described }) => documentPath(described) === groupVersion)
    return subjectsOf().length === 0 ? undefined : document(`v3/${groupVersion}`, subjectsOf, v3Pieces)
  }
  const v3Index = async () => {
    const subjects = everything()
    const found = keptFor('v3', subjects)
    if (found !== undefined) return found
    const byPath = subjectsByPath(subjects)
    const paths = [...byPath.keys()].sort()
    const hashOf = new Map<string, string>()
    for (const path of paths) {
      const document = keptFor(`v3/${path}`, byPath.get(path) ?? []) ?? (await v3(path))
      hashOf.set(path, document?.hash ?? '')
    }
    const file = await paced(servedFile(indexPieces(paths, hashOf)), new Pace())
    forgetOthers(kept, paths)
    kept.set('v3', { sources: subjects.map(({ source }) => source), file })
    return file
  }
  return {
    v3,
    v3Index,
    v2Json: () => document('v2', everywhere, (...about) => v2.json.print(...about)),
    v2Protobuf: () => document('v2-protobuf', everywhere, (...about) => v2.protobuf.print(...about)),
  }
}

function foreignSubjects(apis: ReturnType<NonNullable<OpenApiOptions['foreign']>>): readonly DocumentSubject[] {
  return apis.flatMap(({ isAvailable, v2 }) => (isAvailable && v2 !== undefined ? [{ source: v2, foreign: v2 }] : []))
}

function* v3Pieces(subjects: readonly DocumentSubject[], texts: FieldTexts): Steps<readonly Buffer[]> {
  const served = subjects.flatMap(({ described }) => described ?? [])
  return yield* jsonPieces(yield* openApiV3(served, texts))
}

/** Clients cache a document by its hash, which changes with its content. */
function indexPieces(paths: readonly string[], hashOf: ReadonlyMap<string, string>): Steps<readonly Buffer[]> {
  const entries = paths.map((path) => {
    const serverRelativeURL = `/openapi/v3/${path}?hash=${hashOf.get(path) ?? ''}`
    return [path, { serverRelativeURL }]
  })
  return jsonPieces({ paths: Object.fromEntries(entries) })
}

/** Grouped once for all documents: searching for each would take quadratic time. */
function subjectsByPath<Subject extends { readonly described: Described }>(
  subjects: readonly Subject[],
): ReadonlyMap<string, readonly Subject[]> {
  const byPath = new Map<string, Subject[]>()
  for (const subject of subjects) {
    const path = documentPath(subject.described)
    const known = byPath.get(path)
    if (known === undefined) byPath.set(path, [subject])
    else known.push(subject)
  }
  return byPath
}

function forgetOthers(kept: Map<string, KeptDocument>, paths: readonly string[]): void {
  const wanted = new Set(paths.map((path) => `v3/${path}`))
  for (const name of kept.keys()) if (name.startsWith('v3/') && !wanted.has(name)) kept.delete(name)
}

function isAbout(subjects: readonly DocumentSubject[], sources: readonly object[]): boolean {
  return subjects.length === sources.length && subjects.every(({ source }, index) => source === sources[index])
}

/** An encoded document with the hash of its content. */
function* servedFile(making: Steps<readonly Buffer[]>): Steps<ServedFile> {
  const pieces = yield* making
  const hashing = createHash('sha512')
  for (const piece of pieces) {
    hashing.update(piece)
    yield
  }
  const hash = hashing.digest('hex').toUpperCase()
  return { body: Buffer.concat(pieces), hash, etag: `"${hash}"` }
}
