import { withoutValues } from './key-values.ts'

/** A request of a client. */
export interface Asked {
  readonly method: string
  readonly path: string
}

export interface AnswerPlace extends Asked {
  readonly at: 'answer'
  /** Protobuf contains bytes directly; JSON contains them in Base64. */
  readonly isProtobuf?: boolean
}

export interface FilePlace {
  readonly at: 'file'
  readonly path: string
  /** Only its owner may read it. */
  readonly isPrivate: boolean
  /** For a file of a database, the resource of the record; or that the file is a kubeconfig. */
  readonly content?: string
}

export interface OutputPlace {
  readonly at: 'output'
  readonly command: readonly string[]
  readonly stream: 'stdout' | 'stderr'
}

/** Where bytes were seen. */
export type Place =
  | AnswerPlace
  /** Too large to be an answer that shows a key; its request is no longer known. */
  | { readonly at: 'compressed answer' }
  /** Data that a platform sends to a tenant over its link. */
  | ({ readonly at: 'call over a link' } & Asked)
  | OutputPlace
  | { readonly at: 'log' }
  | FilePlace

export type PlaceType = Place['at']

/** Describes the place, without any value in it. */
export function placeText(place: Place): string {
  return withoutValues(fullText(place))
}

function fullText(place: Place): string {
  switch (place.at) {
    case 'answer':
    case 'call over a link':
      return `${place.at}: ${place.method} ${place.path}`
    case 'output':
      return `output: ${place.command.join(' ')} (${place.stream})`
    case 'file':
      return `file: ${place.path}${place.content === undefined ? '' : ` (${place.content})`}${place.isPrivate ? '' : ' (others may read it)'}`
    case 'compressed answer':
    case 'log':
      return place.at
  }
}

export function askedFor(method: unknown, url: unknown): Asked {
  return { method: String(method), path: String(url).split('?', 1)[0] ?? '' }
}
