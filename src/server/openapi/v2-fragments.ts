import type { Steps } from '../../base/steps.ts'
import { documentInfo } from './document-parts.ts'
import type { V2Parts } from './v2.ts'
import { encodeV2Member, encodeV2Pair, encodeV2Pairs } from './v2-protobuf.ts'

/** The encoded paths and definitions of a document, by name. */
export interface V2Fragments {
  readonly paths: ReadonlyMap<string, Buffer>
  readonly definitions: ReadonlyMap<string, Buffer>
}

export interface V2Format {
  readonly fragment: (member: keyof V2Parts, name: string, node: unknown) => Buffer
  /** A complete document; the fragments are sorted. */
  readonly document: (paths: readonly Buffer[], definitions: readonly Buffer[]) => readonly Buffer[]
}

const securityDefinitions = { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } }

export const jsonV2: V2Format = {
  fragment: (_, name, node) => Buffer.from(`${JSON.stringify(name)}:${JSON.stringify(node)}`),
  document: (paths, definitions) => [
    Buffer.from(`{"swagger":"2.0","info":${JSON.stringify(documentInfo)},"paths":{`),
    ...withCommas(paths),
    Buffer.from('},"definitions":{'),
    ...withCommas(definitions),
    Buffer.from(`},"securityDefinitions":${JSON.stringify(securityDefinitions)}}`),
  ],
}

export const protobufV2: V2Format = {
  fragment: encodeV2Pair,
  document: (paths, definitions) => [
    encodeV2Member('swagger', '2.0'),
    encodeV2Member('info', documentInfo),
    ...encodeV2Pairs('paths', paths),
    ...encodeV2Pairs('definitions', definitions),
    encodeV2Member('securityDefinitions', securityDefinitions),
  ],
}

export function* v2Fragments(parts: V2Parts, { fragment }: V2Format): Steps<V2Fragments> {
  const printed = { paths: new Map<string, Buffer>(), definitions: new Map<string, Buffer>() }
  for (const member of ['paths', 'definitions'] as const) {
    for (const [name, node] of parts[member]) {
      printed[member].set(name, fragment(member, name, node))
      yield
    }
  }
  return printed
}

/** If a name occurs several times, the first one wins. */
export function joinedV2(all: readonly V2Fragments[], format: V2Format): readonly Buffer[] {
  return format.document(inOrder(all.map(({ paths }) => paths)), inOrder(all.map(({ definitions }) => definitions)))
}

function inOrder(all: readonly ReadonlyMap<string, Buffer>[]): readonly Buffer[] {
  const merged = new Map(all.toReversed().flatMap((each) => [...each]))
  return [...merged].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, fragment]) => fragment)
}

const comma = Buffer.from(',')

function withCommas(fragments: readonly Buffer[]): readonly Buffer[] {
  return fragments.flatMap((fragment, index) => (index === 0 ? [fragment] : [comma, fragment]))
}
