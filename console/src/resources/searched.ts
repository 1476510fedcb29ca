import type { KubeObject } from '../api/objects.ts'
import { wordsOf } from '../format/words.ts'

/** Every word must occur in the object. Undefined when every object matches. */
export function objectFilter(text: string): ((object: KubeObject) => boolean) | undefined {
  const words = wordsOf(text)
  return words.length === 0 ? undefined : (object) => words.every((word) => searchedText(object).includes(word))
}

const known = new WeakMap<KubeObject, string>()

/** The text that is searched, in lower case: the names of the object and the texts of its spec. */
function searchedText(object: KubeObject): string {
  const text =
    known.get(object) ??
    [object.metadata.name, object.metadata.namespace, ...texts(object.spec)].join('\n').toLowerCase()
  known.set(object, text)
  return text
}

function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.slice(0, 500)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
