import { withoutValues } from './key-values.ts'

/** What a client asks a server for. */
export interface Asked {
  readonly method: string
  readonly path: string
}

export interface AnswerPlace extends Asked {
  readonly at: 'answer'
  /** In it bytes are as they are; in JSON they are in Base64. */
  readonly isProtobuf?: boolean
}

export interface FilePlace {
  readonly at: 'file'
  readonly path: string
  /** Its owner alone may read it. */
  readonly isPrivate: boolean
  /** In a file of a database the resource of which the record is, or that it is a kubeconfig. */
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
  /** Too large to be the answer that shows a key; its request is no longer known. */
  | { readonly at: 'compressed answer' }
  /** What a platform sends to a tenant over its link. */
  | ({ readonly at: 'call over a link' } & Asked)
  | OutputPlace
  | { readonly at: 'log' }
  | FilePlace

export type PlaceType = Place['at']

/** Says where it was, and no value that stands there. */
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
