import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { certificatesGroup } from '../../api/certificates/certificate-signing-request.ts'
import { objectKeyOf } from '../../api/object.ts'
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../../api/types/certificates-v1.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { commonNameOf, madeAtMs } from '../../base/certificates/authority-bundle.ts'
import { issueCertificate, type KeyAndCertificate } from '../../base/certificates/issue.ts'
import { certifiedSubject } from '../../base/certificates/subject.ts'
import { timestamp } from '../../base/clock.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import { readSigningRequestOf } from '../../registry/certificates/read-request.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { ageProblem, automaticApprovals, certifiedUses, signerProblem, stageOf, validityOf } from './plan.ts'

export interface CertificateControllerOptions {
  readonly requests: ResourceContext
  readonly authorizer: Authorizer
  /** Signs approved requests. Absent: nothing is signed here. */
  readonly authority?: KeyAndCertificate | undefined
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

interface Authority {
  readonly name: string
  readonly key: KeyObject
  readonly madeMs: number
  readonly endsMs: number
}

const controller = 'certificate-controller'
/** The right that allows the automatic approval may be granted to a node later. */
const retryMs = 60_000

/** Approves requests that nodes may make without a user, and signs approved requests. */
export class CertificateController implements Controller {
  readonly #options: CertificateControllerOptions
  readonly #authority: Authority | undefined
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter

  constructor(options: CertificateControllerOptions) {
    const { requests, authority, report, mayWrite } = options
    this.#options = options
    this.#authority = authority && authorityOf(authority)
    this.#loop = controllerLoop({ controller, engine: requests.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#loop.follow(
      requests.cache.listen((events) => {
        for (const { type, document } of events) if (type !== 'DELETED') this.#loop.add(relativeKey(document))
      }),
    )
    for (const document of requests.cache.current().values()) this.#loop.add(relativeKey(document))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const object = this.#options.requests.cache.get(id)?.object as CertificateSigningRequest | undefined
    const waiting = object === undefined ? 'nothing' : stageOf(object)
    if (object === undefined || waiting === 'nothing') return
    if (waiting === 'approval') await this.#approve(object)
    else if (this.#authority !== undefined) await this.#sign(object, this.#authority)
  }

  async #approve(object: CertificateSigningRequest): Promise<void> {
    const read = await readSigningRequestOf(object)
    if (read.outcome === 'unreadable') return
    const approvals = automaticApprovals(object, read.request)
    for (const { subresource, message } of approvals) {
      if (!(await this.#mayHave(object, subresource))) continue
      await this.#report(object, { type: 'Approved', reason: 'AutoApproved', message }, 'approval')
      return
    }
    if (approvals.length > 0) requeueAfter(this.#loop, relativeKey(objectKeyOf(object)), retryMs)
  }

  async #mayHave({ spec }: CertificateSigningRequest, subresource: string): Promise<boolean> {
    const { username: name = '', uid, groups = [], extra } = spec
    const user = { name, groups, ...(uid && { uid }), ...(extra && { extra }) }
    const question = { user, verb: 'create', group: certificatesGroup, version: '*', namespace: '', name: '' }
    const resource = { resource: 'certificatesigningrequests', subresource }
    return (await this.#options.authorizer.authorize({ ...question, ...resource })).verdict === 'allow'
  }

  async #sign(object: CertificateSigningRequest, authority: Authority): Promise<void> {
    const read = await readSigningRequestOf(object)
    // Requests stored by an earlier version were not checked at creation.
    if (read.outcome === 'unreadable') return this.#fail(object, read.problem)
    const problem = ageProblem(object, authority.madeMs) ?? signerProblem(object, read.request)
    if (problem !== undefined) return this.#fail(object, problem)
    const { clock, random } = this.#options.requests.engine
    const { subject, names, publicKey } = read.request
    const certified = { subject: certifiedSubject(subject), names, publicKey, uses: certifiedUses(object) }
    const validity = validityOf(object, clock.now(), authority.endsMs)
    const certificate = issueCertificate(certified, authority, validity, random)
    await this.#write(object, { ...object.status, certificate: Buffer.from(certificate).toString('base64') }, 'status')
  }

  #fail(object: CertificateSigningRequest, message: string): Promise<void> {
    return this.#report(object, { type: 'Failed', reason: 'SignerValidationFailure', message }, 'status')
  }

  async #report(
    object: CertificateSigningRequest,
    said: Pick<CertificateSigningRequestCondition, 'type' | 'reason' | 'message'>,
    subresource: 'approval' | 'status',
  ): Promise<void> {
    const lastUpdateTime = timestamp(this.#options.requests.engine.clock.now())
    const condition = { ...said, status: 'True', lastUpdateTime, lastTransitionTime: null }
    const conditions = [...(object.status.conditions ?? []), condition]
    await this.#write(object, { ...object.status, conditions }, subresource)
  }

  async #write(
    object: CertificateSigningRequest,
    status: CertificateSigningRequest['status'],
    subresource: string,
  ): Promise<void> {
    await this.#writer.replace(this.#options.requests, object, { ...object, status }, subresource)
  }
}

function authorityOf({ key, cert }: KeyAndCertificate): Authority {
  const certificate = new X509Certificate(cert)
  return {
    name: commonNameOf(certificate),
    key: createPrivateKey(key),
    madeMs: madeAtMs(certificate),
    endsMs: Date.parse(certificate.validTo),
  }
}
