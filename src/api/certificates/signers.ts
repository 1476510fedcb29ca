/** Certificates of clients of the API, for which users decide. */
export const clientSigner = 'kubernetes.io/kube-apiserver-client'
/** Certificates by which nodes call the API. */
export const nodeClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet'
/** Certificates that nodes show to the API. */
export const nodeServingSigner = 'kubernetes.io/kubelet-serving'
