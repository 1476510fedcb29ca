import { describe, expect, it } from 'vitest'
import { printToldLicense, readToldLicense } from './told-license.ts'

describe('a license in a header', () => {
  it.each([{ document: 'a.b.c' }, { document: 'a.b.c\n', issuer: 'MCowBQYDK2VwAyEA+/=' }])(
    'is read as it was sent: %j',
    (license) => {
      expect(readToldLicense(printToldLicense(license))).toEqual({ said: 'license', license })
    },
  )

  it('may state that there is no license', () => {
    expect(readToldLicense(printToldLicense(undefined))).toEqual({ said: 'none' })
  })

  it('is omitted if it is too long', () => {
    expect(printToldLicense({ document: 'x'.repeat(10_000) })).toBeUndefined()
  })

  it.each([undefined, '', '%', '%7B', '%7B%7D', '[]', `"${'x'.repeat(10_000)}"`, '%7B%22document%22%3A1%7D'])(
    'that is invalid is ignored: %j',
    (text) => {
      expect(readToldLicense(text)).toEqual({ said: 'nothing' })
    },
  )
})
