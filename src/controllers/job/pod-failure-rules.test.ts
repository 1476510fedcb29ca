import { expect, it } from 'vitest'
import { jobPodOf } from '../../../tests/support/examples/job-pod.ts'
import { endConditionKey } from '../pods/job-pod-facts.ts'
import type { JobPod } from './job-facts.ts'
import { failureReader } from './pod-failure-rules.ts'

it('a Pod is evaluated once for each rule, however many conditions it has', () => {
  let reads = 0
  const conditions = new Set(Array.from({ length: 8_000 }, (_, index) => endConditionKey(`c${index}`, 'True')))
  const ended = jobPodOf('Failed', { job: { end: { exits: [], conditions } } })
  const pod: JobPod = {
    ...ended,
    get job() {
      reads++
      return ended.job
    },
  }
  const patterns = Array.from({ length: 20 }, (_, index) => ({ type: `none${index}`, status: 'True' }))
  const rules = Array.from({ length: 20 }, () => ({ action: 'Ignore', onPodConditions: patterns }))
  const failureOf = failureReader({ rules })
  for (let asked = 0; asked < 10; asked++) expect(failureOf(pod)).toEqual({ action: 'Count' })
  expect(reads).toBe(rules.length)
})

it('the first matching rule decides, and the message names the match', () => {
  const end = { exits: [{ container: 'c', exitCode: 3 }], conditions: new Set([endConditionKey('Lost', 'True')]) }
  const pod = jobPodOf('Failed', { name: 'p', job: { end } })
  const failureOf = failureReader({
    rules: [
      { action: 'Ignore', onPodConditions: [{ type: 'Lost', status: 'False' }] },
      { action: 'Count', onExitCodes: { operator: 'NotIn', values: [3] } },
      { action: 'FailJob', onPodConditions: [{ type: 'Lost', status: 'True' }] },
    ],
  })
  const message = 'Pod a/p has condition Lost matching FailJob rule at index 2'
  expect(failureOf(pod)).toEqual({ action: 'FailJob', message })
})
