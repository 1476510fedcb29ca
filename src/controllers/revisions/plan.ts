import type { KubeObject } from '../../api/object.ts'
import type { ControllerRevision } from '../../api/types/apps-v1.ts'
import type { PodTemplateSpec } from '../../api/types/core-v1.ts'
import type { LabelSelector } from '../../api/types/meta-v1.ts'
import { controllerReference } from '../ownership/owned.ts'
import type { RevisionFacts } from './revision-facts.ts'

/** An owner whose templates are kept as ControllerRevisions. */
export interface Revised extends KubeObject {
  readonly spec: {
    readonly template: PodTemplateSpec
    readonly selector: LabelSelector
    readonly revisionHistoryLimit?: number
  }
  readonly status: { readonly collisionCount?: number }
}

/** The revision of the current template. `number` is the number that it must have. */
export type WantedRevision =
  | { readonly state: 'there'; readonly facts: RevisionFacts; readonly number: number }
  | { readonly state: 'missing'; readonly number: number }

const usualHistory = 10

/** Leaves room for the hash in a name of 253 characters. */
const longestOwnerPart = 223

/** The current template is the latest revision, even if it is an old one that was restored. */
export function planRevision(digest: string | undefined, known: readonly RevisionFacts[]): WantedRevision {
  const facts = known.toSorted(byNumber).findLast((each) => each.digest !== undefined && each.digest === digest)
  const others = known.filter((each) => each !== facts).map(({ revision }) => revision)
  const latest = others.reduce((most, each) => Math.max(most, each), 0)
  if (facts === undefined) return { state: 'missing', number: latest + 1 }
  return { state: 'there', facts, number: facts.revision > latest ? facts.revision : latest + 1 }
}

/** Revisions beyond the limit, oldest first. Revisions in use do not count, and stay. A negative limit means none. */
export function surplusRevisions(
  { spec }: Revised,
  known: readonly RevisionFacts[],
  isInUse: (facts: RevisionFacts) => boolean,
): readonly RevisionFacts[] {
  const { revisionHistoryLimit: limit = usualHistory } = spec
  if (limit < 0) return []
  const unused = known.filter((each) => !isInUse(each) && !each.isBeingDeleted).toSorted(byNumber)
  return unused.slice(0, Math.max(0, unused.length - limit))
}

export interface NewRevision {
  readonly number: number
  readonly hash: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

export function controllerRevisionOf(
  owner: Revised,
  { number, hash, labels, annotations }: NewRevision,
): ControllerRevision {
  const { template } = owner.spec
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${(owner.metadata.name ?? '').slice(0, longestOwnerPart)}-${hash}`,
      namespace: owner.metadata.namespace ?? '',
      labels: { ...template.metadata.labels, ...labels },
      ...(annotations && { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: number,
  }
}

function byNumber(left: RevisionFacts, right: RevisionFacts): number {
  return left.revision - right.revision || (left.name < right.name ? -1 : Number(left.name > right.name))
}
