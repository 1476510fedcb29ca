import type { UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'

/** A CertificateSigningRequest with the identity of the user that sent it. */
export function withRequester(request: KubeObject, user: UserInfo): KubeObject {
  const { name, uid, groups, extra } = user
  return {
    ...request,
    spec: {
      ...(request as { readonly spec?: object }).spec,
      username: name,
      ...(uid && { uid }),
      ...(groups.length > 0 && { groups }),
      ...(extra && Object.keys(extra).length > 0 && { extra }),
    },
  } as KubeObject
}
