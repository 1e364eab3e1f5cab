export declare function compiled(): { dist: string; remove(): void }
