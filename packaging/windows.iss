; Inno Setup: an installer for one user, without administrator rights. Run after PyInstaller:
;   iscc /DVersion=0.1.0 packaging\windows.iss
; With /DSign and a sign tool named "replitune" (iscc /Sreplitune=…) setup and uninstaller are signed.
; /DBundle=… names another folder of PyInstaller's, /DCompression=none makes a large file quickly.
#ifndef Version
  #error Give the version: /DVersion=...
#endif
#ifndef Bundle
  #define Bundle "..\dist\replitune"
#endif
#ifndef Compression
  #define Compression "lzma2"
#endif

[Setup]
AppId={{6E1B7C52-6C0B-4E0B-9C6E-6D5B0B7C52A1}
AppName=Replitune
AppVersion={#Version}
AppPublisher=Replitune
VersionInfoVersion={#Version}
UninstallDisplayIcon={app}\replitune-window.exe
; Windows 10 1809, the oldest that the program's Python and Qt run on
MinVersion=10.0.17763
; held while servers are changed (app/foundation/installer_mark.py): setup waits until they are put back
AppMutex=ReplituneChangesServers
DefaultDirName={localappdata}\Programs\Replitune
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ChangesEnvironment=yes
OutputDir=..\dist
OutputBaseFilename=replitune-{#Version}-setup
Compression={#Compression}
SolidCompression=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\LICENSE
#ifdef Sign
SignTool=replitune
SignedUninstaller=yes
#endif

; What a version no longer has must not stay: rule packs in there would be loaded. Nothing of a person's stands there.
[InstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{userprograms}\Replitune"; Filename: "{app}\replitune-window.exe"

[Registry]
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{code:PathWithProgram}"; Check: IsMissingOnPath

[Run]
Filename: "{app}\replitune-window.exe"; Description: "Start Replitune"; Flags: nowait postinstall skipifsilent

[Code]
function OwnPath(): string;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Result) then
    Result := '';
end;

function IsMissingOnPath(): Boolean;
begin
  Result := Pos(';' + Lowercase(ExpandConstant('{app}')) + ';', ';' + Lowercase(OwnPath()) + ';') = 0;
end;

function PathWithProgram(Param: string): string;
begin
  Result := OwnPath();
  if (Result <> '') and (Result[Length(Result)] <> ';') then
    Result := Result + ';';
  Result := Result + ExpandConstant('{app}');
end;

procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
var
  Path, Padded: string;
  At: Integer;
begin
  if CurUninstallStep <> usPostUninstall then
    exit;
  Path := OwnPath();
  Padded := ';' + Path + ';';
  At := Pos(';' + Lowercase(ExpandConstant('{app}')) + ';', Lowercase(Padded));
  if At = 0 then
    exit;
  { one separator goes with the folder; those around the whole are not ours }
  Delete(Padded, At, Length(ExpandConstant('{app}')) + 1);
  Path := Copy(Padded, 2, Length(Padded) - 2);
  if Path = '' then
    RegDeleteValue(HKCU, 'Environment', 'Path')
  else
    RegWriteExpandStringValue(HKCU, 'Environment', 'Path', Path);
end;
