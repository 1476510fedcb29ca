import { expect, it } from 'vitest'
import { scopeWords } from './scope-words.ts'

it.each([
  [undefined, []],
  [{}, []],
  [{ projects: [{ project: 'web' }, { project: '*' }] }, ['project web', 'every project']],
  [{ spaces: [{ project: 'web', space: '*' }] }, ['every space of project web']],
  [{ virtualClusters: [{ project: '*', virtualCluster: 'v' }] }, ['virtual cluster v of every project']],
  [{ clusters: [{ cluster: 'eu' }] }, ['cluster eu']],
  [{ roles: [{ role: 'tenant', projects: ['*'] }] }, ['role tenant']],
  [
    { roles: [{ role: 'tenant', projects: ['a', 'b'], virtualClusters: ['v'] }] },
    ['role tenant in projects a, b for virtual cluster v'],
  ],
  [{ rules: [{}], allowPlatformCli: true }, ['1 deprecated rule', 'role platformCLI']],
])('describes the scope %j', (scope, words) => {
  expect(scopeWords(scope)).toEqual(words)
})
