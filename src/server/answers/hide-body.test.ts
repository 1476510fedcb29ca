import { describe, expect, it } from 'vitest'
import { badRequest, invalid, tooLarge } from '../../api/error.ts'
import { invalidField } from '../../api/field-error.ts'
import { withoutBodyParts } from './hide-body.ts'

const brought = 'a-value-that-a-person-made-up-by-hand'
const minted = 'Zk3PpQ9sR2vXw8Ty5Bn1Mc7Lh4Gf6Dj0'

function told(message: string, body: string): string {
  return withoutBodyParts(badRequest(message), Buffer.from(body)).status.message ?? ''
}

describe('a refusal', () => {
  it.each([
    ['JSON', `{"spec":{"key":"${brought}"}}`],
    ['JSON that is broken', `{"spec":{"key":"${brought}",,`],
    ['YAML', `spec:\n  key: ${brought}\n`],
    ['YAML in quotes', `spec: {'key': '${brought}'}`],
    ['a JSON Patch', `[{"op":"replace","path":"/spec/key","value":"${brought}"}]`],
    ['a JSON Patch in another order', `[{"value":"${brought}","path":"/spec/key","op":"add"}]`],
    ['a token of a sign-on', `{"spec":{"oidcLogin":{"refreshToken":"${brought}"}}}`],
  ])('does not quote a value that the body brought as %s, whole or cut', (_form, body) => {
    expect(told(`invalid: ${brought}!`, body)).toBe('invalid: [hidden]!')
    expect(told(`near "${brought.slice(0, 20)}`, body)).toBe('near "[hidden]')
  })

  it('does not quote what looks like a key, wherever it is', () => {
    expect(told(`unknown field "spec.${minted}"`, `{"spec":{"${minted}":1}}`)).not.toContain(minted)
  })

  it('does not quote the bytes of a value', () => {
    const bytes = Buffer.from(`spec:\n key: ${brought}`).toString('hex')
    const start = Buffer.from('spec:\n key: ').toString('hex')
    expect(told(`yaml: line 3: no ] (${bytes.slice(0, 60)} ...)`, `spec:\n key: ${brought}\n bad: [`)).toBe(
      `yaml: line 3: no ] (${start}[hidden] ...)`,
    )
  })

  it('quotes nothing of a long body, which is not searched', () => {
    const body = Buffer.from(`key:${brought},`.repeat(20_000))
    body.toString = () => {
      throw new Error('The body was searched.')
    }
    const error = invalid({ kind: 'K', group: 'g' }, 'x', [invalidField('spec.key', brought, 'is wrong')])
    const refusal = withoutBodyParts(error, body)
    expect(refusal.status).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'x' } })
    expect(JSON.stringify(refusal.status)).not.toContain(brought)
    expect(withoutBodyParts(tooLarge('there are too many values in it'), body).status.message).toContain('too many')
  })

  it.each([
    ['a long name', 'the-access-key-of-the-nightly-build-of-the-shop'],
    ['a long sentence', 'for the pipeline that builds the shop every night'],
    ['a long group', 'engineering-platform-infrastructure-administrators'],
  ])('quotes %s', (_what, text) => {
    const body = JSON.stringify({ metadata: { name: text }, spec: { displayName: text, groups: [text] } })
    expect(told(`"${text}" is invalid`, body)).toBe(`"${text}" is invalid`)
  })
})
