import type { ApiServer } from '../../server/contract.ts'
import type { VirtualApi } from './contract.ts'

/** The identity by which the link asks the embedded API server: an administrator that acts as somebody else. */
const linkPeer = {
  remoteAddress: '',
  localAddress: '',
  certificateSubject: { commonName: 'system:tenant-link', organizations: ['system:masters'] },
}

/** The embedded API server of the same process: requests get there without another connection. */
export function embeddedApi(
  serveStream: ApiServer['serveStream'],
  bindClusterRole: VirtualApi['bindClusterRole'],
): VirtualApi {
  return {
    serve: ({ stream, headers, rawHeaders }) => serveStream({ stream, headers, rawHeaders, peer: linkPeer }),
    bindClusterRole,
  }
}
