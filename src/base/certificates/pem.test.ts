import { describe, expect, test } from 'vitest'
import { pemBlocks } from './pem.ts'

describe('blocks of PEM', () => {
  test('are read without the headers', () => {
    const text = 'before\n-----BEGIN A KEY-----\nName: value\nOther: x\n\nAAAA\r\nBBBB\n-----END A KEY-----\nafter'
    expect(pemBlocks(text)).toEqual([{ label: 'A KEY', base64: 'AAAABBBB', hasHeaders: true }])
  })

  test('take no longer with a million carriage returns, each of which could begin a line', () => {
    const text = `-----BEGIN CERTIFICATE-----\n${'\r'.repeat(1_000_000)}AAAA\n-----END CERTIFICATE-----`
    expect(pemBlocks(text)).toEqual([{ label: 'CERTIFICATE', base64: 'AAAA', hasHeaders: false }])
  })
})
