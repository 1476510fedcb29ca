import type { Status } from '../../../src/api/error.ts'
import type { StatusCause } from '../../../src/api/types/meta-v1.ts'

/** Why something failed, as reported by the API. */
export class ApiProblem extends Error {
  readonly code: number
  readonly reason: string
  readonly causes: readonly StatusCause[]

  constructor(code: number, message: string, reason = '', causes: readonly StatusCause[] = []) {
    super(message)
    this.name = 'ApiProblem'
    this.code = code
    this.reason = reason
    this.causes = causes
  }
}

/** The request never got an answer. */
export class ConnectionProblem extends Error {
  constructor() {
    super('The platform did not answer. Check the connection and try again.')
    this.name = 'ConnectionProblem'
  }
}

export function problemFromBody(code: number, text: string): ApiProblem {
  const status = readStatus(text)
  if (status === undefined)
    return new ApiProblem(code, text.trim().slice(0, 500) || `The platform answered with ${code}.`)
  const { message = `The platform answered with ${code}.`, reason = '', details } = status
  return new ApiProblem(code, message, reason, details?.causes ?? [])
}

function readStatus(text: string): Partial<Status> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isStatus(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isStatus(value: unknown): value is Partial<Status> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status'
}

export function isCode(problem: unknown, ...codes: readonly number[]): boolean {
  return problem instanceof ApiProblem && codes.includes(problem.code)
}
