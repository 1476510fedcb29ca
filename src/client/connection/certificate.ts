import type { PeerCertificate } from 'node:tls'
import { timestamp } from '../../base/clock.ts'
import { readFingerprint } from './fingerprint.ts'

/** The certificate of a server, in readable form. */
export interface PresentedCertificate {
  readonly fingerprint: string
  readonly subject: string
  readonly issuer: string
  readonly names: readonly string[]
  readonly validFrom: string
  readonly validTo: string
}

/** Undefined if the server sent none. */
export function presentedCertificate(certificate: PeerCertificate): PresentedCertificate | undefined {
  const fingerprint = readFingerprint(certificate.fingerprint256 ?? '')
  if (fingerprint === undefined) return undefined
  return {
    fingerprint,
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    names: namesOf(certificate.subjectaltname ?? ''),
    validFrom: momentOf(certificate.valid_from),
    validTo: momentOf(certificate.valid_to),
  }
}

function nameOf(name: PeerCertificate['subject'] | undefined): string {
  const [found] = [name?.CN, name?.O].flat().filter((part) => part !== undefined && part !== '')
  return printable(found ?? '(no name)')
}

function namesOf(alternativeNames: string): readonly string[] {
  return alternativeNames
    .split(', ')
    .filter((name) => name !== '')
    .map((name) => printable(name.replace(/^(?:DNS|IP Address):/, '')))
}

function momentOf(date: string): string {
  const epochMs = Date.parse(date)
  return Number.isNaN(epochMs) ? printable(date) : timestamp(epochMs)
}

/** The texts come from a stranger and end up on a terminal. */
function printable(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?')
}
