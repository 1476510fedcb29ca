import type { KubeObject } from '../../api/object.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
import { isKubeObject } from '../kube-object.ts'
import type { ConcretePath, Path } from '../path/path.ts'
import { childOf } from '../path/steps.ts'

const maps = new Set([
  'labels',
  'annotations',
  'data',
  'stringData',
  'binaryData',
  'selector',
  'matchLabels',
  'nodeSelector',
])
const maxLength = 100

/** One place that a path could match: members of maps are named `sample`, other wildcards are the first element. */
export function samplePlace(path: Path): ConcretePath {
  const place: (string | number)[] = []
  for (const element of path) {
    if (element.type === 'member') place.push(element.name)
    else if (element.type === 'index') place.push(element.index <= maxLength ? element.index : String(element.index))
    else place.push(isMapName(place.at(-1)) ? 'sample' : 0)
  }
  return place
}

/** The smallest object with a value at a place, for expressions that read the objects in their context. */
export function sampleObject(place: ConcretePath, value: unknown): KubeObject {
  const base = { apiVersion: 'v1', kind: 'Sample', metadata: { name: 'sample', namespace: 'default' } }
  const object = placed(base, place, value)
  return isKubeObject(object) ? object : base
}

function placed(container: unknown, place: ConcretePath, value: unknown): unknown {
  const [step, ...rest] = place
  if (step === undefined) return value
  if (typeof step === 'number') return [...Array.from({ length: step }, () => null), placed(undefined, rest, value)]
  const members: Record<string, unknown> = isJsonObject(container) ? { ...container } : {}
  setMember(members, step, placed(childOf(members, step), rest, value))
  return members
}

function isMapName(step: string | number | undefined): boolean {
  return typeof step === 'string' && maps.has(step)
}
