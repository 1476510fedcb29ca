import { describe, expect, it } from 'vitest'
import type { ControllerRevision } from '../../api/types/apps-v1.ts'
import { completedTemplate, templateDigest } from './completed-template.ts'
import { controllerRevisionOf, planRevision, type Revised, surplusRevisions } from './plan.ts'
import { type RevisionFacts, revisionFactsFrom } from './revision-facts.ts'

function owner(image: string, revisionHistoryLimit = 10): Revised {
  const containers = [{ name: 'c', image, resources: {} }]
  const labels = { app: 'web' }
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'a', uid: 'web' },
    spec: {
      revisionHistoryLimit,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
    status: {},
  }
}

function revision(number: number, image: string, change: Partial<ControllerRevision> = {}): RevisionFacts {
  const made = controllerRevisionOf(owner(image), { number, hash: image, labels: { mark: image } })
  return revisionFactsFrom({ ...made, ...change })
}

const digestOf = (image: string) => templateDigest(owner(image).spec.template)

describe('the revision of a template', () => {
  const [one, two] = [revision(1, 'v1'), revision(2, 'v2')]
  it.each([
    ['is the first', 'v1', [], { state: 'missing', number: 1 }],
    ['is numbered after all others', 'v3', [two, one], { state: 'missing', number: 3 }],
    ['is there', 'v2', [one, two], { state: 'there', facts: two, number: 2 }],
    ['becomes the latest again', 'v1', [one, two], { state: 'there', facts: one, number: 3 }],
  ] as const)('%s', (_, image, known, expected) => {
    expect(planRevision(digestOf(image), known)).toEqual(expected)
  })

  it('is recognized even if it was stored with fewer defaults', () => {
    const whole = completedTemplate(owner('v1').spec.template)
    const stored = revision(1, 'v1', { data: { spec: { template: { ...whole, $patch: 'replace' } } } })
    expect(planRevision(digestOf('v1'), [stored])).toMatchObject({ state: 'there' })
  })

  it.each([[null], ['text'], [{ spec: 1 }], [{ spec: { template: [] } }], [{ spec: { template: { spec: 'no' } } }]])(
    'is not data without a template: %j',
    (data) => {
      expect(revision(1, 'v1', { data }).digest).toBeUndefined()
      expect(planRevision(undefined, [revision(1, 'v1', { data })])).toEqual({ state: 'missing', number: 2 })
    },
  )

  it('ignores a number that is not a safe integer', () => {
    expect(revision(1, 'v1', { revision: 2 ** 60 }).revision).toBe(0)
  })
})

describe('of old revisions', () => {
  const known = [1, 2, 3, 4].map((number) => revision(number, `v${number}`))
  it.each([
    [0, [], ['web-v1', 'web-v2', 'web-v3', 'web-v4']],
    [1, ['web-v4'], ['web-v1', 'web-v2']],
    [1, ['web-v1', 'web-v4'], ['web-v2']],
    [10, ['web-v4'], []],
    [-1, ['web-v4'], []],
  ])('%i are kept in addition to %j, and the oldest are deleted', (limit, inUse, expected) => {
    const surplus = surplusRevisions(owner('v4', limit), known, ({ name }) => inUse.includes(name))
    expect(surplus.map(({ name }) => name)).toEqual(expected)
  })
})

it('a long name leaves room for the hash', () => {
  const long = { ...owner('v1'), metadata: { name: 'x'.repeat(253), namespace: 'a', uid: 'x' } }
  const { metadata } = controllerRevisionOf(long, { number: 1, hash: 'bcdfg', labels: {} })
  expect(metadata.name).toBe(`${'x'.repeat(223)}-bcdfg`)
})
