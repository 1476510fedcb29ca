import { expect, it } from 'vitest'
import { createLog } from '../../src/base/log.ts'
import { errorResponse } from '../../src/server/answers/errors.ts'
import { requestOver } from '../../src/server/request/request-over.ts'
import { exchangeOf } from './fair-exchange.ts'

it('a request whose caller has gone is no defect, and is not logged as one', () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  errorResponse(requestOver, exchangeOf(), log)
  log.flush()
  expect(lines).toEqual([])
  expect(errorResponse(new Error('A defect.'), exchangeOf(), log).status).toBe(500)
  log.flush()
  expect(lines.join()).toContain('request failed unexpectedly')
})
