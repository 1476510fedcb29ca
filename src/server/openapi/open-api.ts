import { createHash } from 'node:crypto'
import type { Kind } from '../../api/kind.ts'
import { FewAtATime } from '../../base/few-at-a-time.ts'
import { Pace, paced, type Steps } from '../../base/pace.ts'
import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import type { V2Document } from '../../registry/aggregation/v2-document.ts'
import type { OpenApi, ServedFile } from '../contract.ts'
import { type Described, describeKind, documentPath } from './described.ts'
import { builtFieldTexts, type FieldTexts } from './field-texts.ts'
import { jsonPieces } from './json-pieces.ts'
import { openApiV2 } from './v2.ts'
import { encodeOpenApiV2 } from './v2-protobuf.ts'
import { openApiV3 } from './v3.ts'

/** Something served, and what it is known by: the documents about it hold for as long as it is the same. */
interface Subject {
  readonly source: object
  readonly described?: Described
  readonly foreign?: V2Document
}

interface KeptDocument {
  readonly sources: readonly object[]
  readonly file: ServedFile
}

type MakeDocument = (
  served: readonly Described[],
  texts: FieldTexts,
  foreign: readonly V2Document[],
) => Steps<readonly Buffer[]>

export interface OpenApiOptions {
  /** For what the schemas have no words for. Absent: those that the build has found. */
  readonly textsOf?: () => FieldTexts
  /** What servers behind this one answer for. */
  readonly foreign?: () => readonly Pick<AggregatedApi, 'isAvailable' | 'v2'>[]
}

/**
 * Documents about what is served, each made when it is first asked for, and again when something in it has changed. Users
 * bring hundreds of kinds, so they are made in steps, and one at a time, however many ask.
 */
export function createOpenApi(
  kinds: () => readonly Kind[],
  reviews: readonly Described[] = [],
  { textsOf = builtFieldTexts, foreign = () => [] }: OpenApiOptions = {},
): OpenApi {
  const kept = new Map<string, KeptDocument>()
  const waiting = new Map<string, Promise<ServedFile>>()
  const turns = new FewAtATime(1)
  const reviewed = reviews.map((described) => ({ source: described, described }))
  const everything = () => [...kinds().map((kind) => ({ source: kind, described: describeKind(kind) })), ...reviewed]
  const everywhere = (): readonly Subject[] => [...everything(), ...foreignSubjects(foreign())]
  const keptFor = (name: string, subjects: readonly Subject[]): ServedFile | undefined => {
    const found = kept.get(name)
    return found !== undefined && isAbout(subjects, found.sources) ? found.file : undefined
  }
  /** Those who ask before it is begun share it: it tells of what is served then. */
  const made = (name: string, subjectsOf: () => readonly Subject[], make: MakeDocument): Promise<ServedFile> => {
    let isBegun = false
    const begin = async () => {
      isBegun = true
      waiting.delete(name)
      const subjects = subjectsOf()
      const served = subjects.flatMap(({ described }) => described ?? [])
      const documents = subjects.flatMap(({ foreign }) => foreign ?? [])
      const steps = servedFile(make(served, textsOf(), documents))
      const file = keptFor(name, subjects) ?? (await paced(steps, new Pace()))
      kept.set(name, { sources: subjects.map(({ source }) => source), file })
      return file
    }
    const found = waiting.get(name)
    if (found !== undefined) return found
    const file = turns.take(begin)
    if (!isBegun) waiting.set(name, file)
    return file
  }
  const document = async (name: string, subjectsOf: () => readonly Subject[], make: MakeDocument) =>
    keptFor(name, subjectsOf()) ?? made(name, subjectsOf, make)
  const v3 = async (groupVersion: string) => {
    const subjectsOf = () => everything().filter(({ described }) => documentPath(described) === groupVersion)
    return subjectsOf().length === 0 ? undefined : document(`v3/${groupVersion}`, subjectsOf, v3Pieces)
  }
  const v3Index = async () => {
    const subjects = everything()
    const found = keptFor('v3', subjects)
    if (found !== undefined) return found
    const paths = [...new Set(subjects.map(({ described }) => documentPath(described)))].sort()
    const file = await paced(servedFile(indexPieces(paths, await hashes(paths, v3))), new Pace())
    forgetOthers(kept, paths)
    kept.set('v3', { sources: subjects.map(({ source }) => source), file })
    return file
  }
  return {
    v3,
    v3Index,
    v2Json: () => document('v2', everywhere, v2Pieces),
    v2Protobuf: () => document('v2-protobuf', everywhere, v2ProtobufPieces),
  }
}

function foreignSubjects(apis: ReturnType<NonNullable<OpenApiOptions['foreign']>>): readonly Subject[] {
  return apis.flatMap(({ isAvailable, v2 }) => (isAvailable && v2 !== undefined ? [{ source: v2, foreign: v2 }] : []))
}

function* v3Pieces(served: readonly Described[], texts: FieldTexts): Steps<readonly Buffer[]> {
  return yield* jsonPieces(yield* openApiV3(served, texts))
}

function* v2Pieces(...about: Parameters<MakeDocument>): Steps<readonly Buffer[]> {
  return yield* jsonPieces(yield* openApiV2(...about))
}

function* v2ProtobufPieces(...about: Parameters<MakeDocument>): Steps<readonly Buffer[]> {
  return yield* encodeOpenApiV2(yield* openApiV2(...about))
}

/** Clients keep a document by its hash, which changes with its content. */
function indexPieces(paths: readonly string[], hashOf: ReadonlyMap<string, string>): Steps<readonly Buffer[]> {
  const entries = paths.map((path) => {
    const serverRelativeURL = `/openapi/v3/${path}?hash=${hashOf.get(path) ?? ''}`
    return [path, { serverRelativeURL }]
  })
  return jsonPieces({ paths: Object.fromEntries(entries) })
}

async function hashes(
  paths: readonly string[],
  v3: (path: string) => Promise<ServedFile | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const path of paths) found.set(path, (await v3(path))?.hash ?? '')
  return found
}

function forgetOthers(kept: Map<string, KeptDocument>, paths: readonly string[]): void {
  const wanted = new Set(paths.map((path) => `v3/${path}`))
  for (const name of kept.keys()) if (name.startsWith('v3/') && !wanted.has(name)) kept.delete(name)
}

function isAbout(subjects: readonly Subject[], sources: readonly object[]): boolean {
  return subjects.length === sources.length && subjects.every(({ source }, index) => source === sources[index])
}

/** A document as it is sent, with the hash of its content. */
export function* servedFile(making: Steps<readonly Buffer[]>): Steps<ServedFile> {
  const pieces = yield* making
  const hashing = createHash('sha512')
  for (const piece of pieces) {
    hashing.update(piece)
    yield
  }
  const hash = hashing.digest('hex').toUpperCase()
  return { body: Buffer.concat(pieces), hash, etag: `"${hash}"` }
}
