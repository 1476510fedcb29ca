import { expect, it } from 'vitest'
import { RequestMetrics } from './request-metrics.ts'

const totals = (metrics: RequestMetrics) =>
  metrics
    .render()
    .split('\n')
    .filter((line) => line.startsWith('apiserver_request_total{'))

it('requests are counted by verb, resource and code', () => {
  const metrics = new RequestMetrics()
  for (const code of [200, 200, 404]) metrics.record('get', 'pods', code, 1)
  expect(totals(metrics)).toEqual([
    'apiserver_request_total{verb="get",resource="pods",code="200"} 2',
    'apiserver_request_total{verb="get",resource="pods",code="404"} 1',
  ])
})

it('unknown codes of an upstream are counted by their class', () => {
  const metrics = new RequestMetrics()
  for (let code = 430; code <= 499; code += 1) if (code !== 431 && code !== 451) metrics.record('get', '', code, 1)
  expect(totals(metrics)).toEqual(['apiserver_request_total{verb="get",resource="",code="4xx"} 68'])
})

it('resources beyond a limit are counted together, earlier ones as before', () => {
  const metrics = new RequestMetrics()
  for (let index = 0; index < 10_000; index += 1) metrics.record('list', `kind${index}s`, 200, 1)
  metrics.record('list', 'kind0s', 200, 1)
  const lines = totals(metrics)
  expect(lines).toHaveLength(501)
  expect(lines).toContain('apiserver_request_total{verb="list",resource="kind0s",code="200"} 2')
  expect(lines).toContain('apiserver_request_total{verb="list",resource="other",code="200"} 9500')
})
