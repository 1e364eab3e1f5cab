import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNotices } from '../parts/notices.tsx'
import { type Call, useCall } from '../rpc/rpc-context.tsx'

interface Order<Given, Data> {
  /** What is shown of it. */
  key: QueryKey
  send(call: Call, given: Given): Promise<unknown>
  /** What will be there when it is done; shown at once. */
  expect?(data: Data, given: Given): Data
  done?(given: Given): void
}

/** Something to be done whose outcome is shown before it is known, and taken back with the reason when it is refused. */
export function useOrder<Given, Data>({ key, send, expect, done }: Order<Given, Data>) {
  const call = useCall()
  const client = useQueryClient()
  const { complain } = useNotices()
  return useMutation({
    mutationFn: (given: Given) => send(call, given),
    async onMutate(given: Given) {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData<Data>(key)
      if (expect !== undefined && before !== undefined) client.setQueryData<Data>(key, expect(before, given))
      return before
    },
    onError(error, _given, before) {
      if (before !== undefined) client.setQueryData<Data>(key, before)
      complain(error)
    },
    onSuccess: (_answer, given) => done?.(given),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}
