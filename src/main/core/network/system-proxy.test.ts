import { describe, expect, it } from 'vitest';
import { createSystemProxy, readGnomeSettings, readMacSettings, readWindowsSettings } from './system-proxy.ts';

const gnome = (mode: string) => `org.gnome.system.proxy autoconfig-url 'http://wpad.corp.test/proxy.pac'
org.gnome.system.proxy ignore-hosts ['localhost', '127.0.0.0/8', '::1', '*.corp.test']
org.gnome.system.proxy mode '${mode}'
org.gnome.system.proxy use-same-proxy true
org.gnome.system.proxy.ftp host ''
org.gnome.system.proxy.ftp port 0
org.gnome.system.proxy.http authentication-password 's3cret'
org.gnome.system.proxy.http authentication-user 'jane'
org.gnome.system.proxy.http enabled false
org.gnome.system.proxy.http host 'clear.corp.test'
org.gnome.system.proxy.http port 8080
org.gnome.system.proxy.http use-authentication true
org.gnome.system.proxy.https host 'proxy.corp.test'
org.gnome.system.proxy.https port 3128
org.gnome.system.proxy.socks host ''
org.gnome.system.proxy.socks port 0
`;

const mac = (more: string) => `<dictionary> {
  ExceptionsList : <array> {
    0 : *.local
    1 : 169.254/16
  }
  ExcludeSimpleHostnames : 1
  FTPPassive : 1
  HTTPEnable : 1
  HTTPPort : 8080
  HTTPProxy : clear.corp.test
${more}
}
`;

const windows = (more: string) => `
HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings
    DisableCachingOfSSLPages    REG_DWORD    0x0
    User Agent    REG_SZ    Mozilla/4.0 (compatible; MSIE 8.0; Win32)
    MigrateProxy    REG_DWORD    0x1
${more}
HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings\\Connections
`;

describe('the settings of a system', () => {
  const ofGnome = { named: "GNOME's settings", exceptions: 'localhost,127.0.0.0/8,::1,*.corp.test' };
  it.each([
    ['none', '', ''],
    ['manual', 'proxy.corp.test:3128', ''],
    ['auto', '', 'http://wpad.corp.test/proxy.pac'],
  ])('GNOME, mode %s', (mode, proxy, pac) => expect(readGnomeSettings(gnome(mode))).toEqual({ ...ofGnome, proxy, script: pac }));

  const ofMac = { named: "macOS's settings", exceptions: '*.local,169.254/16,<local>' };
  it.each([
    ['  HTTPSEnable : 0', '', ''],
    ['  HTTPSEnable : 1\n  HTTPSPort : 3128\n  HTTPSProxy : proxy.corp.test', 'proxy.corp.test:3128', ''],
    ['  HTTPSEnable : 1\n  HTTPSPort : 3128\n  HTTPSProxy : fd00::7', '[fd00::7]:3128', ''],
    [
      '  ProxyAutoConfigEnable : 1\n  ProxyAutoConfigURLString : http://wpad.corp.test/proxy.pac',
      '',
      'http://wpad.corp.test/proxy.pac',
    ],
    ['  ProxyAutoConfigEnable : 0\n  ProxyAutoConfigURLString : http://wpad.corp.test/proxy.pac', '', ''],
    ['  ProxyAutoDiscoveryEnable : 1', '', ''],
  ])('macOS with %j', (more, proxy, pac) => expect(readMacSettings(mac(more))).toEqual({ ...ofMac, proxy, script: pac }));

  it.each([
    ['    ProxyEnable    REG_DWORD    0x0\r\n    ProxyServer    REG_SZ    proxy.corp.test:3128', '', '', ''],
    [
      '    ProxyEnable    REG_DWORD    0x1\r\n    ProxyServer    REG_SZ    proxy.corp.test:3128\r\n    ProxyOverride    REG_SZ    *.corp.test;<local>',
      'proxy.corp.test:3128',
      '',
      '*.corp.test;<local>',
    ],
    [
      '    ProxyEnable    REG_DWORD    0x1\r\n    ProxyServer    REG_SZ    http=clear:80;https=proxy.corp.test:3128;socks=s:1080',
      'proxy.corp.test:3128',
      '',
      '',
    ],
    ['    ProxyEnable    REG_DWORD    0x1\r\n    ProxyServer    REG_SZ    http=clear:80', '', '', ''],
    ['    AutoConfigURL    REG_SZ    http://wpad.corp.test/proxy.pac', '', 'http://wpad.corp.test/proxy.pac', ''],
  ])('Windows with %j', (more, proxy, pac, exceptions) =>
    expect(readWindowsSettings(windows(more))).toEqual({ named: "Windows's settings", proxy, script: pac, exceptions }),
  );

  it('that cannot be read name no proxy', () => {
    for (const read of [readGnomeSettings, readMacSettings, readWindowsSettings])
      for (const printed of ['', 'No such schema', '\0\0']) expect(read(printed)).toMatchObject({ proxy: '', script: '' });
  });

  it('are asked of the whole name of a program, and again after a minute', async () => {
    let at = 0;
    const asked: string[] = [];
    const run = async (program: string, given: readonly string[]) => {
      asked.push([program, ...given].join(' '));
      if (asked.length > 2) throw new Error('gone');
      return windows('    ProxyEnable    REG_DWORD    0x1\n    ProxyServer    REG_SZ    a:1');
    };
    const read = createSystemProxy({ SystemRoot: 'D:\\Windows' }, { platform: 'win32', now: () => at, run });
    expect((await read?.())?.proxy).toBe('a:1');
    await read?.();
    expect(asked).toEqual([
      expect.stringMatching(
        /^D:\\Windows.System32.reg\.exe query HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings$/,
      ),
    ]);
    for (const [time, proxy] of [
      [60_001, 'a:1'],
      [120_002, undefined],
    ] as const) {
      at = time;
      expect((await read?.())?.proxy).toBe(proxy);
    }
    expect(createSystemProxy({}, { platform: 'darwin', run })).not.toBeNull();
    expect(createSystemProxy({ XDG_CURRENT_DESKTOP: 'sway' }, { platform: 'linux', run })).toBeNull();
  });
});
