import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { joinedPackages, noticesOf } from '../../build/notices.ts'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

it.each(joinedPackages)('the license terms of %s are beside the program that includes it', (name) => {
  const notices = readFileSync('dist/NOTICES', 'utf8')
  expect(notices).toContain(`${name} ${dependencies[name]}\n`)
  expect(noticesOf([name])).toMatch(/Copyright[\s\S]*(WITHOUT WARRANTY|AS IS)/)
  expect(notices).toContain(noticesOf([name]))
})
