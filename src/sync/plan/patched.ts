import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { Direction, FoundReference, ObjectName } from '../../patches/contract.ts'
import type { ObjectFields, TextMap, Trouble } from '../contract.ts'
import type { KindRules, PatchSides } from './rules.ts'
import type { Maps } from './traveling.ts'

/** An object in the form of the other side. */
export interface Counterpart extends Maps {
  readonly fields: ObjectFields
}

export type Patched =
  | ({ readonly ok: true; readonly object: KubeObject; readonly references: readonly FoundReference[] } & Counterpart)
  | { readonly ok: false; readonly trouble: Trouble }

/** Runs the patches over a translated object. */
export async function patched(
  translated: KubeObject,
  direction: Direction,
  sides: PatchSides,
  rules: Pick<KindRules, 'patch' | 'kind'>,
): Promise<Patched> {
  const outcome = await rules.patch(translated, direction, sides)
  if (outcome.state === 'failed') {
    const { path, concretePath, message } = outcome.failure
    const why = rules.kind.hidesValues ? 'the cause is not shown, since it may contain a secret' : message
    return failed(`the patch of ${path} failed at ${concretePath}: ${why}`)
  }
  const { apiVersion: _, kind: __, metadata, status: ___, ...fields } = outcome.object
  const labels = metadata.labels ?? {}
  const annotations = metadata.annotations ?? {}
  const bad = problemWith('labels', labels) ?? problemWith('annotations', annotations)
  if (bad !== undefined) return failed(bad)
  return { ok: true, object: outcome.object, references: outcome.references, fields, labels, annotations }
}

/** An object under its name on the other side, without server-managed metadata. */
export function translatedObject(
  type: { readonly apiVersion: string; readonly kind: string },
  { namespace, name }: ObjectName,
  { labels, annotations }: Maps,
  fields: ObjectFields,
): KubeObject {
  const metadata: ObjectMeta = {
    name,
    ...(namespace !== '' && { namespace }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }
  return { ...fields, apiVersion: type.apiVersion, kind: type.kind, metadata }
}

/** An expression can return anything, whatever the type of a map. */
function problemWith(place: string, map: TextMap): string | undefined {
  if (!isJsonObject(map)) return `a patch made metadata.${place} something that is no map`
  const entry = Object.entries(map).find(([, value]) => typeof value !== 'string')
  return entry && `a patch made metadata.${place}[${JSON.stringify(entry[0])}] something that is no text`
}

function failed(message: string): Patched {
  return { ok: false, trouble: { reason: 'PatchFailed', message } }
}
