import { linkCallerName, upgradeHeader } from '../../api/link.ts'
import type { ApiServer } from '../../server/contract.ts'
import type { Peer } from '../../server/http.ts'
import type { VirtualApi } from './contract.ts'

/** The embedded API server of the same process: requests reach it without another connection. */
export function embeddedApi(
  serveStream: ApiServer['serveStream'],
  bindClusterRole: VirtualApi['bindClusterRole'],
): VirtualApi {
  const peers = new WeakMap<object, Peer>()
  const peerOf = (link: object): Peer => {
    const known = peers.get(link) ?? linkPeer()
    peers.set(link, known)
    return known
  }
  return {
    serve: ({ stream, headers, rawHeaders }) => {
      const upgrade = headers[upgradeHeader]
      const asked = { stream, headers, rawHeaders, peer: peerOf(stream.session ?? stream) }
      serveStream(typeof upgrade === 'string' ? { ...asked, upgrade } : asked)
    },
    bindClusterRole,
  }
}

/** The caller over a link: an administrator that impersonates another user. */
function linkPeer(): Peer {
  return {
    remoteAddress: '',
    localAddress: '',
    takesAnnotations: true,
    certificateSubject: { commonName: linkCallerName, organizations: ['system:masters'] },
  }
}
