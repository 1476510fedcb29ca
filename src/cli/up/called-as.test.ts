import { expect, it } from 'vitest'
import { calledAs } from './called-as.ts'

it.each([
  ['/usr/local/bin/tenant', 'tenant'],
  ['/home/me/project/node_modules/.bin/tenant', 'tenant'],
  [undefined, 'tenant'],
  ['/home/me/project/dist/cli/main.js', 'node dist/cli/main.js'],
  ['/opt/tenant/dist/cli/main.js', 'node /opt/tenant/dist/cli/main.js'],
  ['/opt/my tools/main.js', "node '/opt/my tools/main.js'"],
])('a user who ran %s in /home/me/project runs %s', (script, expected) => {
  expect(calledAs(script, '/home/me/project')).toBe(expected)
})
