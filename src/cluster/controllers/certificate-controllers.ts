import { certificatesGroup } from '../../api/certificates/certificate-signing-request.ts'
import { CertificateController } from '../../controllers/certificates/certificate-controller.ts'
import { requestExpiry } from '../../controllers/certificates/request-expiry.ts'
import { whileLeading } from '../../controllers/run/leading.ts'
import type { Controller } from '../../registry/controllers/controller.ts'
import { ExpiryController } from '../../registry/controllers/expiry.ts'
import type { ControllerParts } from './controller-parts.ts'

const expiryIntervalMs = 60_000

/** Approves, signs and finally removes certificate requests. */
export function startCertificates(parts: ControllerParts): Controller | undefined {
  const { registry, clientAuthority: authority, authorizer, electionTimes: times, report, log } = parts
  const requests = registry.engine.find(certificatesGroup, 'CertificateSigningRequest')
  const leases = registry.engine.find('coordination.k8s.io', 'Lease')
  if (requests === undefined || leases === undefined) return undefined
  const expiry = new ExpiryController([{ context: requests, expiresAt: requestExpiry }], expiryIntervalMs, report)
  const start = (mayWrite: () => boolean) =>
    new CertificateController({ requests, authorizer, authority, report, mayWrite })
  const signing = whileLeading({ leases, name: 'tenant-certificate-controllers', log, times, start })
  return {
    stop: async () => {
      await Promise.all([expiry.stop(), signing.stop()])
    },
  }
}
