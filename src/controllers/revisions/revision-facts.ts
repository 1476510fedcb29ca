import type { KubeObject } from '../../api/object.ts'
import type { ControllerRevision } from '../../api/types/apps-v1.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'
import { templateDigest } from './completed-template.ts'

/** What controllers need to know about a ControllerRevision. */
export interface RevisionFacts extends Owned {
  /** The highest is the latest. */
  readonly revision: number
  /** The digest of its template; undefined if it has none. */
  readonly digest: string | undefined
}

export function revisionFactsFrom(object: KubeObject): RevisionFacts {
  const { revision, data } = object as ControllerRevision
  return {
    ...ownedFrom(object),
    // A number that cannot be incremented counts as the oldest.
    revision: Number.isSafeInteger(revision) ? revision : 0,
    digest: templateDigest(templateIn(data)),
  }
}

/** A revision holds a patch that replaces the current template with its own. */
export function templateIn(data: unknown): unknown {
  const spec = isJsonObject(data) ? data.spec : undefined
  const template = isJsonObject(spec) ? spec.template : undefined
  if (!isJsonObject(template)) return undefined
  const { $patch: _, ...rest } = template
  return rest
}
