import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkConfig } from '../../src/patches/config/check-config.ts'
import { checkRoundTrips } from '../../src/patches/config/round-trips.ts'
import { fieldReference } from './reference.ts'

const guide = fileURLToPath(new URL('../../docs/tenant-yaml.md', import.meta.url))
const start = '<!-- fields: made from src/api/tenant-config by tests/tenant-config, UPDATE_DOCS=1 writes it -->\n'
const end = '<!-- end of fields -->'

describe('docs/tenant-yaml.md', () => {
  it('describes the current fields', async () => {
    const text = await readFile(guide, 'utf8')
    const before = text.slice(0, text.indexOf(start) + start.length)
    const after = text.slice(text.indexOf(end))
    const expected = `${before}\n${fieldReference()}\n${after}`
    if (process.env.UPDATE_DOCS === '1') await writeFile(guide, expected)
    expect(await readFile(guide, 'utf8')).toBe(expected)
  })

  it('has examples that are valid without a warning', async () => {
    const text = await readFile(guide, 'utf8')
    const examples = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map((match) => match[1] ?? '')
    expect(examples.length).toBeGreaterThanOrEqual(3)
    for (const example of examples) {
      const { document, config, problems } = checkConfig(example, 'example')
      expect(problems).toEqual([])
      expect(await checkRoundTrips(document, config ?? {})).toEqual([])
    }
  })
})
