import type { Kind } from '../../api/kind.ts'
import type { Steps } from '../../base/steps.ts'
import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import type { OpenApi } from '../contract.ts'
import { type Described, describeKind, documentPath } from './described.ts'
import { builtFieldTexts, type FieldTexts } from './field-texts.ts'
import { jsonPieces } from './json-pieces.ts'
import { KeptDocuments } from './kept-documents.ts'
import { jsonV2, protobufV2 } from './v2-fragments.ts'
import { type DocumentSubject, V2Pieces } from './v2-pieces.ts'
import { openApiV3 } from './v3.ts'

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
  const documents = new KeptDocuments()
  const v2 = { json: new V2Pieces(jsonV2), protobuf: new V2Pieces(protobufV2) }
  const reviewed = reviews.map((described) => ({ source: described, described }))
  const own = () => [...kinds().map((kind) => ({ source: kind, described: describeKind(kind) })), ...reviewed]
  const all = (): readonly DocumentSubject[] => [...own(), ...foreignSubjects(foreign())]
  const v3 = async (path: string) => {
    const subjectsOf = () => own().filter(({ described }) => documentPath(described) === path)
    if (subjectsOf().length === 0) return undefined
    return documents.get(`v3/${path}`, subjectsOf, (subjects) => v3Pieces(subjects, textsOf()))
  }
  const v3Index = async () => {
    const subjects = own()
    const found = documents.find('v3', subjects)
    if (found !== undefined) return found
    const byPath = subjectsByPath(subjects)
    const paths = [...byPath.keys()].sort()
    const hashOf = new Map<string, string>()
    for (const path of paths) {
      const document = documents.find(`v3/${path}`, byPath.get(path) ?? []) ?? (await v3(path))
      hashOf.set(path, document?.hash ?? '')
    }
    const file = await documents.put('v3', subjects, indexPieces(paths, hashOf))
    documents.forgetOthers(
      'v3/',
      paths.map((path) => `v3/${path}`),
    )
    return file
  }
  return {
    v3,
    v3Index,
    v2Json: () => documents.get('v2', all, (subjects) => v2.json.print(subjects, textsOf())),
    v2Protobuf: () => documents.get('v2-protobuf', all, (subjects) => v2.protobuf.print(subjects, textsOf())),
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
