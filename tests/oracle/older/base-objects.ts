import type { Kind } from '../../../src/api/kind.ts'
import { apiVersionOf } from '../../../src/api/object.ts'
import { answers, stories } from '../kinds/recording.ts'
import type { Fields } from './mutations.ts'

/** New objects of a kind that were accepted when they were recorded, those with the most fields first. */
export function recordedObjects(kind: Kind, namespace = ''): readonly Fields[] {
  return stories
    .flatMap(({ steps }) => steps)
    .filter(({ id, method, path, prep }) => {
      return method === 'POST' && !path.includes('?') && (prep === true || answers.get(id)?.status === 201)
    })
    .flatMap(({ body, path }) => {
      const recorded = /\/namespaces\/([^/]+)\//.exec(path)?.[1]
      const text = JSON.stringify(body ?? {})
      const object: Fields = JSON.parse(
        recorded === undefined ? text : text.replaceAll(`"${recorded}"`, `"${namespace}"`),
      )
      const isOfKind = object.apiVersion === apiVersionOf(kind) && object.kind === kind.kind
      const { namespace: _, ...metadata } = Object(object.metadata)
      return isOfKind && !JSON.stringify(object).includes('${')
        ? [{ ...object, metadata: { name: 'base', ...metadata } }]
        : []
    })
    .sort((left, right) => JSON.stringify(right).length - JSON.stringify(left).length)
}
