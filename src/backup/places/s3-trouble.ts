import type { S3Client } from '@aws-sdk/client-s3'
import { errorText } from '../../base/error-text.ts'
import { BackupRefused } from '../backup-refused.ts'

/** A missing object is an answer, not a failure. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)
}

/** Adds the address and a remedy to errors: the library's own errors name neither. */
export function explainS3Errors(client: S3Client, address: string, endpoint: string | undefined): void {
  client.middlewareStack.add(
    (next) => async (asked) => {
      try {
        return await next(asked)
      } catch (error) {
        if (isMissing(error) || error instanceof BackupRefused) throw error
        throw new BackupRefused(`${address}: ${troubleOf(error, endpoint)}`, { cause: error })
      }
    },
    { step: 'initialize', name: 'explainS3Errors' },
  )
}

const refusals: readonly string[] = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'Forbidden']

function troubleOf(error: unknown, endpoint: string | undefined): string {
  const { name = '', code = '' } = error as { readonly name?: string; readonly code?: string }
  const text = errorText(error)
  if (name === 'CredentialsProviderError') {
    return 'there are no credentials for it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE'
  }
  if (refusals.includes(name)) return `${text} (${name}): check the credentials and their rights on the bucket`
  if (/^E[A-Z]+$/.test(code)) {
    return `${endpoint ?? 'S3'} cannot be reached (${text}): AWS_ENDPOINT_URL and AWS_REGION say where it is`
  }
  return text
}
